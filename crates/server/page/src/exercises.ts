// Exercises from reviewed games, and when to repeat them.

import { createEmptyCard, fsrs, Rating, State as CardState, type Card } from 'ts-fsrs';
import type { Side } from './protocol';
import { sideToMove, type Exercise, type Grade } from './state';
import { treeOf, type LibraryGame } from './storage';
import { mainLine, nodeOf, type Tree } from './tree';

/** A position without the counters of its moves. */
export function positionKey(fen: string): string {
  return fen.split(' ').slice(0, 4).join(' ');
}

/** The mistakes of the main line that a review has explained, of one side or of both. */
export function exercisesOf(tree: Tree, { side, title = '', opening = '' }: { side?: Side; title?: string; opening?: string }): Exercise[] {
  const found: Exercise[] = [];
  for (const id of mainLine(tree)) {
    const node = nodeOf(tree, id);
    const { lesson, judged } = node;
    if (!lesson || !judged?.judgement || node.parent === null || lesson.good.length === 0) continue;
    const position = nodeOf(tree, node.parent);
    const mover = sideToMove(tree, position.id);
    if (side && mover !== side) continue;
    const earlier = position.parent === null ? null : nodeOf(tree, position.parent);
    found.push({
      key: positionKey(position.fen),
      before: earlier ? { fen: earlier.fen, move: { uci: position.uci, san: position.san, fen: position.fen } } : null,
      fen: position.fen,
      side: mover,
      played: { uci: node.uci, san: node.san, fen: node.fen },
      judgement: judged.judgement,
      lesson,
      game: title,
      opening,
    });
  }
  return found;
}

/** The exercises of a game of the library, for one player or for both. */
export function exercisesOfGame(game: LibraryGame, player: string): Exercise[] {
  const title = game.white || game.black ? `${game.white || 'White'} – ${game.black || 'Black'}` : '';
  const side = player === '' ? undefined : game.white === player ? 'white' : game.black === player ? 'black' : null;
  if (side === null) return [];
  return exercisesOf(treeOf(game), { ...(side ? { side } : {}), title, opening: familyOf(game.opening) });
}

/** An opening without its variation. */
function familyOf(opening: string): string {
  return (
    opening
      .replace(/^[A-E]\d\d /, '')
      .split(':')[0]
      ?.trim() ?? ''
  );
}

/** How well an exercise is remembered, and when it is to be repeated, in milliseconds. */
export interface Memory {
  key: string;
  due: number;
  card: Card;
}

const scheduler = fsrs({ enable_fuzz: false });
const RATINGS = { good: Rating.Good, hard: Rating.Hard, again: Rating.Again } as const;

/** What is known after an exercise was done. */
export function remember(key: string, before: Memory | undefined, grade: Grade, now: number): Memory {
  const { card } = scheduler.next(before?.card ?? createEmptyCard(new Date(now)), new Date(now), RATINGS[grade]);
  return { key, due: card.due.getTime(), card };
}

/** Whether an exercise is new, to be repeated now, or known for a while. */
export function statusOf(memory: Memory | undefined, now: number): 'new' | 'due' | 'later' {
  if (!memory || memory.card.state === CardState.New) return 'new';
  return memory.due <= now ? 'due' : 'later';
}

/** The exercises to do next: those that are due longest first, then new ones, the worst mistakes first. */
export function choose(exercises: readonly Exercise[], memories: ReadonlyMap<string, Memory>, count: number, now: number): Exercise[] {
  const unique = exercises.filter((one, index) => exercises.findIndex((other) => other.key === one.key) === index);
  const of = (status: string) => unique.filter((one) => statusOf(memories.get(one.key), now) === status);
  const due = of('due').sort((one, two) => (memories.get(one.key)?.due ?? 0) - (memories.get(two.key)?.due ?? 0));
  const fresh = of('new').sort((one, two) => two.lesson.loss - one.lesson.loss);
  return [...due, ...fresh].slice(0, count);
}
