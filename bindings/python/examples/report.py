"""A notebook-shaped example: each block is a cell, and its output stands below it.

Everything is searched with one thread and a number of nodes, so the output is always the same.
"""

# %% A position: the best move, and who is better.
import halcyon

engine = halcyon.Engine(hash=16)
found = engine.analyse("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4", nodes=20_000)
print(found.best_san, "mate in", found.mate)
# > Qxf7# mate in 1

# %% Perft of the start position.
print([halcyon.perft(depth=depth) for depth in range(6)])
# > [1, 20, 400, 8902, 197281, 4865609]

# %% A game: which moves were bad, and what was better?
PGN = '[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
(game,) = halcyon.review(PGN, nodes=5_000)
for move in game.moves:
    print(f"{move.number}. {move.color:5} {move.san:5} {move.judgement or 'good'}")
# > 1. white f3    inaccuracy
# > 1. black e5    good
# > 2. white g4    blunder
# > 2. black Qh4#  good

# %% Rows for a table: pandas.DataFrame(rows)
rows = [move.record() for move in game.moves]
print(sorted(rows[0])[:4], len(rows))
# > ['accuracy', 'best_san', 'best_uci', 'centipawn_loss'] 4
