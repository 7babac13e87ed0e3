"""The chess engine Halcyon inside Python.

>>> import halcyon
>>> engine = halcyon.Engine()
>>> found = engine.analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth=6)
>>> found.best_san, found.mate
('Ra8#', 1)

Scores and chances of an `Analysis` are those of the side to move, as UCI has them; those of a review
are White's, as PGN has them. Searches release the interpreter's lock, and Ctrl-C ends them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from . import _halcyon

__all__ = [
    "STARTING_FEN",
    "Analysis",
    "Engine",
    "GameReview",
    "Line",
    "MoveReview",
    "Played",
    "Puzzle",
    "SideReview",
    "Updates",
    "Wdl",
    "bench",
    "perft",
    "puzzles",
    "review",
    "uci_path",
]

__version__: str = _halcyon.__version__

#: The start of a game.
STARTING_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

Color = Literal["white", "black"]


class Wdl(NamedTuple):
    """Chances to win, draw and lose, in thousandths."""

    win: int
    draw: int
    loss: int

    def expectation(self) -> float:
        """Points to expect, from 0 to 1."""
        return (self.win + self.draw / 2) / 1000


@dataclass(frozen=True)
class Line:
    """One principal variation. Score and chances are those of the side to move."""

    #: 1 for the best line.
    rank: int
    depth: int
    seldepth: int
    #: Centipawns; 100 means that the engine wins half of its games from here. None for a mate.
    cp: int | None
    #: Moves to mate, negative if the side to move is mated. None without a mate.
    mate: int | None
    wdl: Wdl
    #: Whether the score is exact, or a lower or upper bound.
    bound: Literal["exact", "lower", "upper"]
    #: The moves as UCI text.
    uci: list[str]
    #: The moves as players write them.
    san: list[str]


@dataclass(frozen=True)
class Analysis:
    """What a search has found. Score and chances are those of the side to move."""

    #: The position.
    fen: str
    turn: Color
    #: The best move as UCI text; None if there is no legal move.
    best: str | None
    best_san: str | None
    #: The expected answer as UCI text.
    ponder: str | None
    #: Centipawns; 100 means that the engine wins half of its games from here. None for a mate.
    cp: int | None
    #: Moves to mate, negative if the side to move is mated. None without a mate.
    mate: int | None
    wdl: Wdl
    depth: int
    seldepth: int
    nodes: int
    #: Seconds.
    time: float
    #: Thousandths of the transposition table that are filled.
    hashfull: int
    tb_hits: int
    lines: list[Line] = field(repr=False)
    #: What the search counted, if that was asked for.
    statistics: dict[str, Any] | None = field(repr=False)
    #: Whether the search goes on.
    running: bool = field(repr=False)

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / self.time) if self.time > 0 else 0

    def record(self) -> dict[str, Any]:
        """A flat row for a table: ``pandas.DataFrame([found.record() for found in ...])``."""
        return {
            "fen": self.fen,
            "turn": self.turn,
            "best": self.best,
            "best_san": self.best_san,
            "cp": self.cp,
            "mate": self.mate,
            "win": self.wdl.win,
            "draw": self.wdl.draw,
            "loss": self.wdl.loss,
            "depth": self.depth,
            "seldepth": self.seldepth,
            "nodes": self.nodes,
            "time": self.time,
            "line": " ".join(self.lines[0].san) if self.lines else "",
        }


def _line(fields: dict[str, Any]) -> Line:
    fields["wdl"] = Wdl(*fields["wdl"])
    return Line(**fields)


def _analysis(fields: dict[str, Any]) -> Analysis:
    fields["wdl"] = Wdl(*fields["wdl"])
    fields["lines"] = [_line(line) for line in fields["lines"]]
    return Analysis(**fields)


@dataclass(frozen=True)
class Played:
    """A move that the engine plays."""

    #: The move as UCI text, for `chess.Board.push_uci`.
    uci: str
    #: The move as players write it.
    san: str
    #: What the search found.
    analysis: Analysis = field(repr=False)


class Updates:
    """The results of a search while it runs, and the last one when it has ended.

    Leaving the loop does not end the search; closing does, and so does a ``with`` block.
    """

    def __init__(self, native: _halcyon.Updates) -> None:
        self._native = native

    def __iter__(self) -> Iterator[Analysis]:
        return self

    def __next__(self) -> Analysis:
        return _analysis(next(self._native))

    def close(self) -> None:
        """Stops the search and waits for its end."""
        self._native.close()

    def __enter__(self) -> Updates:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Engine:
    """A chess engine with threads and a transposition table of its own.

    It does one search at a time; `stop` may be called from any thread.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash: int = 16,
        syzygy: str | os.PathLike[str] | None = None,
    ) -> None:
        """`hash` is the size of the transposition table in MiB, `syzygy` a folder of tablebases."""
        folders = None if syzygy is None else os.fspath(syzygy)
        self._native = _halcyon.Engine(threads, hash, folders)

    def __repr__(self) -> str:
        return f"Engine(threads={self.threads}, hash={self.hash})"

    @property
    def threads(self) -> int:
        """The number of search threads."""
        return self._native.threads

    @property
    def hash(self) -> int:
        """The size of the transposition table in MiB."""
        return self._native.hash

    def analyse(
        self,
        fen: str = STARTING_FEN,
        *,
        moves: Sequence[str] = (),
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        mate: int | None = None,
        root_moves: Sequence[str] = (),
        multipv: int = 1,
        statistics: bool = False,
        chess960: bool = False,
    ) -> Analysis:
        """Searches a position within the limits and returns what was found.

        `moves` are played from `fen` first, in UCI text or SAN; repetitions among them count. The
        limits hold together: `nodes`, `depth` in plies, `time` in seconds, `mate` in moves. At
        least one is needed. `root_moves` restricts the search to some moves, `multipv` asks for
        several lines, and `chess960` has castling written as king takes rook.

        The transposition table stays from search to search; `new_game` empties it.
        """
        if nodes is None and depth is None and time is None and mate is None:
            raise ValueError("a search needs a limit: nodes, depth, time or mate")
        options = _options(moves, nodes, depth, time, mate, None, root_moves, multipv)
        options |= {"statistics": statistics, "elo": None, "chess960": chess960}
        return _analysis(self._native.analyse(fen, options))

    def watch(
        self,
        fen: str = STARTING_FEN,
        *,
        moves: Sequence[str] = (),
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        root_moves: Sequence[str] = (),
        multipv: int = 1,
        statistics: bool = True,
        chess960: bool = False,
    ) -> Updates:
        """Searches in the background and yields what is known so far.

        With statistics there is an update about seven times a second, without them one for every
        iteration. Without a limit the search goes on until it is closed:

        >>> with Engine().watch(depth=6) as updates:
        ...     for found in updates:
        ...         last = found
        >>> last.depth, last.running
        (6, False)
        """
        options = _options(moves, nodes, depth, time, None, None, root_moves, multipv)
        options |= {"statistics": statistics, "elo": None, "chess960": chess960}
        return Updates(self._native.watch(fen, options))

    def play(
        self,
        fen: str = STARTING_FEN,
        *,
        moves: Sequence[str] = (),
        clock: tuple[float, float] | None = None,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        elo: int | None = None,
        chess960: bool = False,
    ) -> Played:
        """Chooses a move to play.

        `clock` has the seconds left for the game and the seconds that each move adds. With `elo`
        the engine plays at that strength, and needs no other limit.
        """
        if clock is None and time is None and nodes is None and depth is None and elo is None:
            raise ValueError("a move needs a limit: clock, time, nodes, depth or elo")
        options = _options(moves, nodes, depth, time, None, clock, (), 1)
        options |= {"statistics": False, "elo": elo, "chess960": chess960}
        found = _analysis(self._native.analyse(fen, options))
        if found.best is None or found.best_san is None:
            raise ValueError(f"there is no legal move in {found.fen}")
        return Played(found.best, found.best_san, found)

    def stop(self) -> None:
        """Ends the search that is under way; it returns what it has found. For other threads."""
        self._native.stop()

    def new_game(self) -> None:
        """Forgets everything that earlier searches taught."""
        self._native.new_game()


def _options(
    moves: Sequence[str],
    nodes: int | None,
    depth: int | None,
    time: float | None,
    mate: int | None,
    clock: tuple[float, float] | None,
    root_moves: Sequence[str],
    multipv: int,
) -> dict[str, Any]:
    if isinstance(moves, str) or isinstance(root_moves, str):
        raise TypeError("moves are a list of texts")
    if multipv < 1:
        raise ValueError("multipv is at least 1")
    return {
        "moves": list(moves),
        "nodes": nodes,
        "depth": depth,
        "time": time,
        "mate": mate,
        "clock": clock,
        "root_moves": list(root_moves),
        "multipv": multipv,
    }


@dataclass(frozen=True)
class MoveReview:
    """What the engine thinks of a move that was played. Scores are White's."""

    ply: int
    number: int
    color: Color
    #: The position before the move.
    fen: str
    uci: str
    san: str
    #: Centipawns after the move; None for a mate or the end of the game.
    white_cp: int | None
    #: Moves to mate after the move, negative if Black mates.
    white_mate: int | None
    white_wdl: Wdl
    #: The best line, as UCI text and as players write it.
    best_uci: list[str]
    best_san: list[str]
    #: The chance to win that the move gave away, from 0 to 1.
    loss: float
    centipawn_loss: int
    #: From 0 to 100.
    accuracy: float
    judgement: Literal["inaccuracy", "mistake", "blunder"] | None
    phase: Literal["opening", "middlegame", "endgame"]
    comment: str
    #: Why the move was bad, in sentences that searches have confirmed; None if it was not.
    why: str | None
    #: The motifs that the reason names, as Lichess names them: fork, pin, backRankMate.
    motifs: list[str]

    def record(self) -> dict[str, Any]:
        """A flat row for a table."""
        row = dict(self.__dict__)
        row["motifs"] = " ".join(self.motifs)
        row["best_uci"] = " ".join(self.best_uci)
        row["best_san"] = " ".join(self.best_san)
        row["white_win"], row["white_draw"], row["white_loss"] = row.pop("white_wdl")
        return row


@dataclass(frozen=True)
class SideReview:
    """How well a side played."""

    #: Moves that were judged.
    moves: int
    #: From 0 to 100; None without moves.
    accuracy: float | None
    #: Mean chance to win given away by a move, in percent.
    average_loss: float
    average_centipawn_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True)
class GameReview:
    """What the engine thinks of a game."""

    tags: dict[str, str]
    result: str
    white: SideReview
    black: SideReview
    moves: list[MoveReview] = field(repr=False)
    #: The annotated game.
    pgn: str = field(repr=False)
    #: What was wrong with the text, with line numbers.
    faults: list[str] = field(repr=False)


@dataclass(frozen=True)
class Puzzle:
    """A position after a mistake with one clearly best answer. Scores are White's."""

    #: Number of the game in the text, from 1, and of the mistake in the game.
    game: int
    ply: int
    tags: dict[str, str] = field(repr=False)
    #: The position to solve, and who is to move.
    fen: str
    turn: Color
    #: The position before the mistake, and the mistake. Before a mate that only one move reaches it may
    #: be no mistake.
    before_fen: str = field(repr=False)
    mistake_uci: str = field(repr=False)
    mistake_san: str
    #: Why it was one, if it was.
    why: str
    #: The solution with the replies, as UCI text and as players write it.
    solution_uci: list[str] = field(repr=False)
    solution_san: list[str]
    #: The first moves that solve it: one, or every mate in one.
    answers: list[str] = field(repr=False)
    white_cp: int | None = field(repr=False)
    white_mate: int | None = field(repr=False)
    #: Motifs and kind, as Lichess names its themes.
    themes: list[str]
    #: An estimate of the rating of people who solve it half of the time.
    rating: int
    #: The depth from which on the search prefers the answer.
    depth: int = field(repr=False)

    def record(self) -> dict[str, Any]:
        """A flat row for a table."""
        row = {name: value for name, value in self.__dict__.items() if name != "tags"}
        for name in ("solution_uci", "solution_san", "answers", "themes"):
            row[name] = " ".join(row[name])
        return row


def puzzles(
    pgn: str | os.PathLike[str],
    *,
    nodes: int = 200_000,
    threads: int = 1,
    hash: int = 16,
) -> list[Puzzle]:
    """Makes puzzles of the mistakes of all games of a PGN text, or of a file if `pgn` is a path.

    A first look with a tenth of the nodes finds the mistakes; each is then searched with all of
    them. With one thread the same games give the same puzzles every time.
    """
    found = _halcyon.puzzles(_text(pgn), nodes, threads, hash)
    return [Puzzle(**fields) for fields in found]


def _text(pgn: str | os.PathLike[str]) -> str:
    return Path(pgn).read_text(encoding="utf-8") if isinstance(pgn, os.PathLike) else pgn


def review(
    pgn: str | os.PathLike[str],
    *,
    nodes: int = 100_000,
    threads: int = 1,
    hash: int = 16,
) -> list[GameReview]:
    """Reviews all games of a PGN text, or of a file if `pgn` is a path.

    Each position is searched with this many nodes. With one thread the same games get the same
    review every time.
    """
    return [_game(fields) for fields in _halcyon.review(_text(pgn), nodes, threads, hash)]


def _game(fields: dict[str, Any]) -> GameReview:
    for move in fields["moves"]:
        move["white_wdl"] = Wdl(*move["white_wdl"])
    fields["moves"] = [MoveReview(**move) for move in fields["moves"]]
    for side in ("white", "black"):
        fields[side] = SideReview(**fields[side])
    return GameReview(**fields)


def perft(fen: str = STARTING_FEN, depth: int = 1) -> int:
    """Counts the move sequences of `depth` plies.

    >>> perft(depth=4)
    197281
    """
    if depth < 0:
        raise ValueError("depth is at least 0")
    return _halcyon.count_leaves(fen, depth)


def bench(depth: int = 12) -> int:
    """Nodes of the bench: the same as those of every other build of the same version."""
    return _halcyon.bench(depth)


def uci_path() -> str:
    """The path of the UCI program in this package, as for python-chess's ``popen_uci``."""
    name = "halcyon.exe" if sys.platform == "win32" else "halcyon"
    program = Path(__file__).parent / "bin" / name
    if not program.exists():
        raise FileNotFoundError(f"this build of the package has no program: {program}")
    return str(program)
