"""Perft, bench, reviews, and the program in the package."""

import subprocess
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest

import halcyon

GAME = """[Event "Test"]
[White "A"]
[Black "B"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def python_perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += python_perft(board, depth - 1)
        board.pop()
    return count


def test_perft_is_that_of_python_chess() -> None:
    for fen in (
        halcyon.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ):
        for depth in range(3):
            assert halcyon.perft(fen, depth) == python_perft(chess.Board(fen), depth)
    assert halcyon.perft(depth=6) == 119_060_324
    with pytest.raises(ValueError):
        halcyon.perft(depth=-1)


def test_a_review_judges_every_move() -> None:
    (game,) = halcyon.review(GAME, nodes=3000)
    assert game.tags["White"] == "A" and game.result == "0-1" and game.faults == []
    assert [move.san for move in game.moves] == ["f3", "e5", "g4", "Qh4#"]
    blunder = game.moves[2]
    assert blunder.judgement == "blunder" and blunder.color == "white" and blunder.number == 2
    assert blunder.white_mate == -1 and blunder.best_san and blunder.loss > 0.15
    assert "was best" in blunder.comment and "[%" not in blunder.comment
    assert game.white.blunders == 1 and game.black.blunders == 0
    assert game.moves[3].white_wdl == (0, 0, 1000)
    row = blunder.record()
    assert row["white_win"] == 0 and isinstance(row["best_san"], str)


#: White takes a pawn and loses a piece to a fork.
FORK = """[Event "Fork"]
[White "C"]
[Black "D"]
[SetUp "1"]
[FEN "r5k1/5ppp/8/8/4n3/8/5PPP/R2Q2K1 b - - 0 1"]

1... Nc5 2. Qd5 Nb3 3. Qxb3 h6 4. h3 *
"""


def test_a_review_says_why() -> None:
    (game,) = halcyon.review(GAME, nodes=5000)
    blunder = game.moves[2]
    assert blunder.why is not None and "Qh4#" in blunder.why
    assert all(isinstance(motif, str) for motif in blunder.motifs)
    assert game.moves[3].why is None and game.moves[3].motifs == []
    assert isinstance(blunder.record()["motifs"], str)


def test_puzzles_have_one_answer_that_python_chess_plays() -> None:
    found = halcyon.puzzles(GAME + "\n" + FORK, nodes=20_000)
    assert found and found == halcyon.puzzles(GAME + "\n" + FORK, nodes=20_000)
    mate = found[0]
    assert (mate.game, mate.ply, mate.mistake_san, mate.turn) == (1, 3, "g4", "black")
    assert mate.solution_san == ["Qh4#"] and mate.answers == ["d8h4"] and mate.white_mate == -1
    assert "mateIn1" in mate.themes and mate.why and mate.tags["White"] == "A"
    for puzzle in found:
        board = chess.Board(puzzle.before_fen)
        assert board.san(chess.Move.from_uci(puzzle.mistake_uci)) == puzzle.mistake_san
        board.push_uci(puzzle.mistake_uci)
        assert board.fen(en_passant="legal") == puzzle.fen
        for uci, san in zip(puzzle.solution_uci, puzzle.solution_san, strict=True):
            assert board.push_san(san).uci() == uci
    row = mate.record()
    assert row["themes"] == " ".join(mate.themes) and "tags" not in row


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarms")
def test_an_interrupt_ends_a_review() -> None:
    script = (
        "import signal, halcyon\n"
        "def stop(*_): raise KeyboardInterrupt\n"
        "signal.signal(signal.SIGALRM, stop)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.5)\n"
        "try:\n"
        "    halcyon.review('1. e4 e5 2. Nf3 Nc6 *', nodes=2_000_000_000)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "interrupted\n"


def test_an_annotated_game_is_read_by_python_chess(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(GAME + "\n" + GAME, encoding="utf-8")
    games = halcyon.review(file, nodes=1000)
    assert len(games) == 2 and games[0] == games[1]
    annotated = tmp_path / "annotated.pgn"
    annotated.write_text(games[0].pgn, encoding="utf-8")
    with annotated.open(encoding="utf-8") as text:
        game = chess.pgn.read_game(text)
    assert game is not None and not game.errors
    blunder = game.next().next().next()  # type: ignore[union-attr]
    assert blunder is not None and chess.pgn.NAG_BLUNDER in blunder.nags


def test_faults_are_told_with_their_line() -> None:
    (game,) = halcyon.review("1. e4 e5 2. Ke4 *", nodes=100)
    assert len(game.moves) == 2
    assert any("line 1" in fault for fault in game.faults)
    assert halcyon.review("") == []


def test_the_program_in_the_package_is_a_uci_engine() -> None:
    with chess.engine.SimpleEngine.popen_uci(halcyon.uci_path()) as program:
        assert program.id["name"].startswith("Halcyon ")
        info = program.analyse(chess.Board(), chess.engine.Limit(nodes=5000))
    found = halcyon.Engine(hash=16).analyse(nodes=5000)
    # The same search: the program sends its totals, the module has them.
    assert info["pv"][0].uci() == found.best
    assert info["score"].relative.score() == found.cp


def test_the_module_runs_the_program_and_agrees_with_its_bench() -> None:
    command = [sys.executable, "-m", "halcyon", "bench", "5"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert int(text.splitlines()[-1].split()[0]) == halcyon.bench(5)


def test_the_version_is_that_of_the_program() -> None:
    command = [halcyon.uci_path(), "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert text.split()[1] == halcyon.__version__
