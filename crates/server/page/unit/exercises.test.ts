// Exercises: which mistakes become one, and when they come back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, exercisesOf, remember, statusOf, type Memory } from '../src/exercises';
import type { Lesson } from '../src/protocol';
import { addMove, change, newTree, ROOT, type Tree } from '../src/tree';
import { lessonOf, stepsOf } from './fake-server';

const DAY = 86_400_000;

/** A game of random moves in which some are mistakes that lose so much. */
function game(losses: (number | null)[]): Tree {
  let tree = newTree();
  let at = ROOT;
  for (const loss of losses) {
    const fen = tree.nodes[at]?.fen ?? '';
    const [best, played] = stepsOf(fen);
    if (!best || !played) throw new Error('no moves');
    [tree, at] = addMove(tree, at, played);
    const lesson: Lesson = { ...lessonOf(fen, played, best), loss: loss ?? 0 };
    if (loss !== null) tree = change(tree, at, { lesson, judged: { loss, judgement: 'mistake', best: best.san } });
  }
  return tree;
}

test('mistakes of a side become exercises, with the move before them', () => {
  const tree = game([0.2, null, 0.3, 0.4]);
  assert.deepEqual(
    exercisesOf(tree, {}).map((one) => one.side),
    ['white', 'white', 'black'],
  );
  const [first, second] = exercisesOf(tree, { side: 'white' });
  assert.equal(first?.before, null);
  assert.equal(second?.before?.move.fen, second?.fen);
  // A move that was only asked about is no mistake.
  assert.equal(exercisesOf(change(tree, 1, { judged: null }), { side: 'white' }).length, 1);
});

test('what is known well comes back later than what was missed', () => {
  const now = Date.UTC(2026, 0, 1);
  const good = remember('a', undefined, 'good', now);
  const missed = remember('a', undefined, 'again', now);
  assert.ok(missed.due < good.due && missed.due > now);
  assert.equal(statusOf(undefined, now), 'new');
  assert.equal(statusOf(good, now), 'later');
  assert.equal(statusOf(good, good.due), 'due');
  // Intervals grow with every success.
  let memory: Memory = good;
  let last = 0;
  for (let round = 0; round < 5; round++) {
    const at = memory.due;
    memory = remember('a', memory, 'good', at);
    assert.ok(memory.due - at > last, `round ${round}`);
    last = memory.due - at;
  }
  assert.ok(last > 20 * DAY);
});

test('due exercises come first, then new ones, the worst mistakes first', () => {
  const now = Date.UTC(2026, 0, 1);
  const exercises = exercisesOf(game([0.1, 0.2, 0.3, 0.4]), {});
  const [one, two] = exercises;
  if (!one || !two) throw new Error('no exercises');
  const memories = new Map([
    [one.key, remember(one.key, undefined, 'again', now - DAY)],
    [two.key, remember(two.key, undefined, 'good', now)],
  ]);
  assert.deepEqual(
    choose([...exercises, ...exercises], memories, 10, now).map((each) => each.lesson.loss),
    [0.1, 0.4, 0.3],
  );
  assert.equal(choose(exercises, memories, 2, now).length, 2);
});
