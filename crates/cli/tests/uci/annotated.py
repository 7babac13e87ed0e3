"""Plays annotated games through with python-chess: python3 annotated.py FILE GAMES MOVES."""

import sys

import chess.pgn


def walk(node):
    """Visits every variation; python-chess has checked that its moves are legal."""
    yield node
    for child in node.variations:
        yield from walk(child)


path, games_expected, moves_expected = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
games = moves = evals = side_lines = 0
with open(path, encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors, game.errors
        games += 1
        board = game.board()
        for node in game.mainline():
            assert node.move in board.legal_moves, node
            board.push(node.move)
            moves += 1
            if node.eval() is not None:
                evals += 1
            else:
                assert board.is_game_over(), node
        side_lines += sum(len(node.variations) - 1 for node in walk(game) if node.variations)
assert games == games_expected, games
assert moves == moves_expected, moves
assert evals > 0 and side_lines > 0, (evals, side_lines)
