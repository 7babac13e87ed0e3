"""Drives the engine through python-chess as a GUI or a bot would. The engine is the argument."""

import sys

import chess
import chess.engine

QUICK = chess.engine.Limit(nodes=2000)


def check_options(engine):
    names = {"Threads", "Hash", "MultiPV", "UCI_Chess960", "UCI_ShowWDL", "UCI_LimitStrength",
             "UCI_Elo", "SyzygyPath", "Move Overhead"}
    assert names <= set(engine.options), sorted(engine.options)
    for name, option in engine.options.items():
        if option.type == "spin":
            assert option.min <= option.default <= option.max, name
    engine.configure({"Hash": 8, "Threads": 2})
    engine.configure({"Hash": 4, "Threads": 1, "Move Overhead": 0})
    for wrong in ({"Hash": 0}, {"No Such Option": 1}):
        try:
            engine.configure(wrong)
        except chess.engine.EngineError:
            continue
        raise AssertionError(f"{wrong} was accepted")


def check_analysis(engine):
    engine.configure({"UCI_ShowWDL": True})
    fens = (chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    for fen in fens:
        board = chess.Board(fen)
        lines = engine.analyse(board, chess.engine.Limit(depth=8), multipv=5)
        assert len(lines) == 5
        assert len({line["pv"][0] for line in lines}) == 5
        scores = [line["score"].relative for line in lines]
        assert scores == sorted(scores, reverse=True), scores
        for line in lines:
            assert {"depth", "seldepth", "nodes", "nps", "time", "hashfull", "tbhits"} <= set(line)
            assert sum(line["wdl"].relative) == 1000, line
            after = board.copy()
            for move in line["pv"]:
                assert after.is_legal(move), line
                after.push(move)
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6:
                break
    assert analysis.wait().move in chess.Board().legal_moves
    mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), QUICK)
    assert mate["score"].white() == chess.engine.Mate(1), mate
    engine.configure({"UCI_ShowWDL": False})


def check_play(engine):
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = engine.play(chess.Board(), QUICK, root_moves=wanted)
    assert result.move in wanted
    clock = chess.engine.Limit(white_clock=0.3, black_clock=0.3, white_inc=0, black_inc=0)
    assert engine.play(chess.Board(), clock, ponder=True).move in chess.Board().legal_moves
    assert engine.play(chess.Board(), QUICK).move in chess.Board().legal_moves


def play_game(engine, board, limit, options):
    game = object()
    while not board.is_game_over(claim_draw=True) and board.fullmove_number < 60:
        result = engine.play(board, limit, game=game, options=options)
        assert board.is_legal(result.move), (board.fen(), result.move)
        board.push(result.move)


def main():
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=20) as engine:
        assert engine.id["name"].startswith("Halcyon")
        check_options(engine)
        check_analysis(engine)
        check_play(engine)
        limit = chess.engine.Limit(nodes=300)
        for number in range(17):
            play_game(engine, chess.Board(), limit, {})
            play_game(engine, chess.Board.from_chess960_pos(56 * number), limit, {})
            strength = {"UCI_LimitStrength": True, "UCI_Elo": 800 + 50 * number}
            play_game(engine, chess.Board(), chess.engine.Limit(time=1), strength)
        engine.ping()


main()
