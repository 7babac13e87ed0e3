"""How much faster the module is than python-chess driving the program, printed.

Both search the same positions with the same nodes, one thread and one table each. They take turns,
so that what slows the machine slows both; the ratio is that of the medians.
"""

import statistics
import sys
import time

import chess
import chess.engine

import halcyon

GOAL = 1.5


def positions(count: int) -> list[str]:
    """Positions on the way through games that the engine plays at a low strength."""
    player = halcyon.Engine(hash=1)
    fens: list[str] = []
    while len(fens) < count:
        board = chess.Board()
        player.new_game()
        while len(fens) < count and not board.is_game_over(claim_draw=True):
            fens.append(board.fen())
            board.push_uci(player.play(board.fen(), elo=1000).uci)
    return fens


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    fens = positions(count)
    times: dict[str, list[float]] = {"module": [], "program": []}
    with chess.engine.SimpleEngine.popen_uci(halcyon.uci_path()) as program:
        for _ in range(rounds):
            engine = halcyon.Engine()
            begun = time.perf_counter()
            found = [engine.analyse(fen, nodes=nodes) for fen in fens]
            times["module"].append(time.perf_counter() - begun)
            limit = chess.engine.Limit(nodes=nodes)
            begun = time.perf_counter()
            for fen in fens:
                program.analyse(chess.Board(fen), limit)
            times["program"].append(time.perf_counter() - begun)
    assert all(analysis.best for analysis in found)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"{name:8} {count} positions at {nodes} nodes: {value:.2f} s")
    ratio = medians["program"] / medians["module"]
    print(f"{ratio:.2f} times as fast (median of {rounds} rounds; the goal is {GOAL})")
    if ratio < GOAL:
        sys.exit("below the goal")


if __name__ == "__main__":
    main()
