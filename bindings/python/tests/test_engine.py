"""The engine, with python-chess as the second opinion on rules."""

import os
import random
import signal
import threading
import time

import chess
import pytest

import halcyon

ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


@pytest.fixture(scope="module")
def engine() -> halcyon.Engine:
    return halcyon.Engine(hash=8)


def positions(count: int, seed: int) -> list[chess.Board]:
    """Positions of random games."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randrange(4, 90)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        found.append(board)
    return found


def test_a_mate_is_found(engine: halcyon.Engine) -> None:
    found = engine.analyse(ITALIAN, nodes=20_000)
    assert (found.best, found.best_san, found.mate, found.cp) == ("f3f7", "Qxf7#", 1, None)
    assert found.wdl == (1000, 0, 0) and found.wdl.expectation() == 1.0
    assert found.lines[0].san == ["Qxf7#"] and found.turn == "white"


def test_lines_are_legal_and_san_is_that_of_python_chess(engine: halcyon.Engine) -> None:
    for board in positions(60, 1):
        found = engine.analyse(board.fen(), nodes=1500, multipv=3)
        assert len(found.lines) == min(3, board.legal_moves.count())
        assert found.fen == board.fen(en_passant="legal")
        assert sum(found.wdl) == 1000
        if not found.lines:
            assert board.is_game_over() and found.best is None
            continue
        assert found.best == found.lines[0].uci[0]
        assert (found.cp is None) != (found.mate is None)
        for line in found.lines:
            walk = board.copy()
            for uci, san in zip(line.uci, line.san, strict=True):
                assert walk.san(chess.Move.from_uci(uci)) == san
                walk.push_uci(uci)


def test_the_same_search_gives_the_same_answer() -> None:
    results = []
    for _ in range(2):
        fresh = halcyon.Engine(hash=4)
        found = fresh.analyse(nodes=5000)
        results.append((found.nodes, found.best, found.cp, found.lines[0].uci))
    assert results[0] == results[1]


def test_moves_are_read_in_both_notations_and_repetitions_count(engine: halcyon.Engine) -> None:
    found = engine.analyse(moves=["e4", "e7e5", "Nf3"], depth=4)
    board = chess.Board()
    for san in ["e4", "e5", "Nf3"]:
        board.push_san(san)
    assert found.fen == board.fen(en_passant="legal") and found.turn == "black"


def test_root_moves_restrict_the_search(engine: halcyon.Engine) -> None:
    found = engine.analyse(ITALIAN, nodes=2000, root_moves=["a2a3", "h3"])
    assert found.best in ("a2a3", "h2h3")


def test_chess960_writes_king_takes_rook(engine: halcyon.Engine) -> None:
    fen = "4k3/8/8/8/8/8/PPPPPPPP/4KR2 w F - 0 1"
    found = engine.analyse(fen, depth=3, root_moves=["O-O"], chess960=True)
    assert found.best == "e1f1" and found.best_san == "O-O"


def test_statistics_and_records(engine: halcyon.Engine) -> None:
    found = engine.analyse(ITALIAN, depth=6, statistics=True)
    assert found.statistics is not None
    assert found.statistics["nodes"] > 0 and found.statistics["running"] is False
    row = found.record()
    assert row["best"] == "f3f7" and row["win"] == 1000
    assert all(not isinstance(value, (list, dict)) for value in row.values())
    assert engine.analyse(ITALIAN, depth=2).statistics is None


def test_no_legal_move(engine: halcyon.Engine) -> None:
    mated = engine.analyse("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", depth=3)
    assert mated.best is None and mated.mate == 0 and mated.lines == []
    stalemate = engine.analyse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth=3)
    assert stalemate.best is None and stalemate.cp == 0
    with pytest.raises(ValueError, match="no legal move"):
        engine.play("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", nodes=100)


def test_play_by_clock_and_at_a_strength(engine: halcyon.Engine) -> None:
    for limits in ({"clock": (2.0, 0.0)}, {"elo": 1000}, {"time": 0.05}, {"nodes": 500}):
        played = engine.play(**limits)
        assert chess.Move.from_uci(played.uci) in chess.Board().legal_moves
        assert chess.Board().parse_san(played.san).uci() == played.uci


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fen": "nonsense", "nodes": 1}, "FEN"),
        ({"fen": halcyon.STARTING_FEN}, "needs a limit"),
        ({"moves": ["e5"], "nodes": 1}, "e5"),
        ({"nodes": 1, "multipv": 0}, "multipv"),
        ({"time": -1.0}, "s:"),
        ({"time": float("nan")}, "s:"),
    ],
)
def test_mistakes_are_value_errors(
    engine: halcyon.Engine, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        engine.analyse(**arguments)  # type: ignore[arg-type]


def test_engines_that_cannot_be() -> None:
    with pytest.raises(ValueError):
        halcyon.Engine(threads=0)
    with pytest.raises(ValueError):
        halcyon.Engine(hash=0)
    with pytest.raises(MemoryError):
        halcyon.Engine(hash=1 << 40)
    with pytest.raises(ValueError):
        halcyon.Engine(syzygy="/there/is/nothing/here")
    with pytest.raises(TypeError):
        halcyon.Engine().analyse(moves="e2e4", nodes=1)


def test_updates_end_with_the_result() -> None:
    engine = halcyon.Engine(hash=4)
    depths = [found.depth for found in engine.watch(depth=8, statistics=False)]
    assert depths == sorted(depths) and depths[-1] == 8
    with engine.watch(time=0.6) as updates:
        seen = list(updates)
    assert seen[-1].running is False
    counted = [found.statistics for found in seen]
    assert all(counted) and len(counted) >= 2
    nodes = [statistics["nodes"] for statistics in counted if statistics]
    assert nodes == sorted(nodes)


def test_closing_stops_and_the_engine_is_free_again() -> None:
    engine = halcyon.Engine(hash=4)
    with engine.watch() as updates:
        assert next(updates).running
        with pytest.raises(RuntimeError, match="searching"):
            engine.analyse(nodes=10)
    assert engine.analyse(nodes=10).best is not None
    updates = engine.watch()
    del updates
    assert engine.analyse(nodes=10).best is not None


def test_the_interpreter_is_free_while_the_engine_searches() -> None:
    engine = halcyon.Engine(hash=4)
    results: list[halcyon.Analysis] = []
    search = threading.Thread(target=lambda: results.append(engine.analyse(depth=200)))
    search.start()
    counted = 0
    begun = time.monotonic()
    while time.monotonic() < begun + 0.2:
        counted += 1
    engine.stop()
    search.join(20)
    assert not search.is_alive() and results[0].best is not None
    assert counted > 1000


def test_an_interrupt_ends_a_search() -> None:
    # Background jobs of shells begin with interrupts switched off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    engine = halcyon.Engine(hash=4)
    for search in (
        lambda: engine.analyse(depth=200),
        lambda: list(engine.watch()),
        lambda: halcyon.perft(depth=12),
        lambda: halcyon.review("1. e4 e5 2. Nf3 Nc6 *", nodes=10**15),
    ):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            search()
        timer.join()
    assert engine.analyse(nodes=100).best is not None


def test_two_engines_search_at_once() -> None:
    engines = [halcyon.Engine(hash=2) for _ in range(2)]
    results: dict[int, str | None] = {}

    def work(index: int) -> None:
        results[index] = engines[index].analyse(ITALIAN, nodes=20_000).best

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: "f3f7", 1: "f3f7"}
