// What the random walks check: the tree, what PGN keeps of it, and moves that wait for the server.

import assert from 'node:assert/strict';
import { here, waitingMoves, type State } from '../src/state';
import { annotationOf, meansPass, nagsOf, nodeOf, ROOT, type GameNode, type Tree } from '../src/tree';
import { whyNotMove, type Action } from '../src/update';
import { stepOf } from './fake-server';

/** A generator whose walks can be repeated. */
export function generator(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    let value = state;
    value = Math.imul(value ^ (value >>> 15), 1 | value);
    value ^= value + Math.imul(value ^ (value >>> 7), 61 | value);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const legalSteps = new Map<string, string>();

export function checkTree(tree: Tree): void {
  let reached = 0;
  const queue: number[] = [ROOT];
  while (queue.length) {
    const node = nodeOf(tree, queue.pop() as number);
    reached++;
    for (const id of node.children) {
      const child = nodeOf(tree, id);
      assert.equal(child.parent, node.id);
      const key = `${node.fen}|${child.uci}`;
      let fen = legalSteps.get(key);
      if (fen === undefined) {
        fen = stepOf(node.fen, child.uci)?.fen ?? 'illegal';
        if (legalSteps.size > 200_000) legalSteps.clear();
        legalSteps.set(key, fen);
      }
      assert.equal(child.fen, fen, `${child.san} in ${node.fen}`);
      queue.push(id);
    }
  }
  assert.equal(reached, Object.keys(tree.nodes).length, 'every move can be reached');
}

/** All that PGN keeps of a game. */
export function shape(tree: Tree, id: number): unknown {
  const node: GameNode = nodeOf(tree, id);
  const { text, score, clock, shapes, judged, said } = annotationOf(node);
  const plain = (words: string) => words.replace(/}/g, ')').replace(/\{/g, '(').replace(/\s+/g, ' ').trim();
  const sorted = [...shapes].sort((one, two) => Number(Boolean(one.to)) - Number(Boolean(two.to)));
  return {
    san: node.san,
    nags: nagsOf(node).toSorted(),
    text: plain(text),
    score,
    clock,
    shapes: sorted,
    judged,
    said,
    children: node.children.map((child) => shape(tree, child)),
  };
}

/** What puts another game, or another state of this one, on the board. */
const REPLACES = new Set<Action['type']>(['open', 'new-game', 'undo', 'adopt', 'next-exercise', 'end-training', 'train']);
/** How many moves have waited at once, were made, and were asked about after the one before them. */
export const seen = { most: 0, made: 0, followed: 0 };

/** Moves that wait for the server are made in their order, or dropped with the one before them. */
export function checkWaiting(before: State, after: State, action: Action): void {
  const plays = Object.values(after.pending).filter(({ kind }) => kind === 'play');
  assert.ok(plays.length <= 1, 'one move is asked about at a time');
  const [was, now] = [waitingMoves(before), waitingMoves(after)];
  if (now) {
    assert.equal(now[1].from, after.at, 'it belongs to the position on the board');
    seen.most = Math.max(seen.most, now[1].next.length);
  }
  if (!was) return;
  const [id, { text, next }] = was;
  if (action.type === 'play') {
    assert.equal(after.tree, before.tree);
    const repeated = now?.[1].next.length === next.length;
    assert.deepEqual([now?.[0], now?.[1].text], [id, text]);
    assert.deepEqual(now?.[1].next, repeated ? next : [...next, action.text]);
    if (repeated) assert.equal([text, ...next].at(-1), action.text);
    return;
  }
  const isMade = action.type === 'answer' && action.answer.type === 'position' && action.answer.id === id;
  const last = isMade && action.answer.type === 'position' ? action.answer.last : null;
  if (last && here(after).parent === before.at && here(after).uci === last.uci) {
    seen.made += 1;
    const [following, ...rest] = next;
    // It is asked about at once, unless it is the opponent's turn or the game is over.
    if (now) {
      seen.followed += 1;
      assert.deepEqual([now[1].text, now[1].next], [following, rest]);
    } else assert.ok(following === undefined || whyNotMove(after) || meansPass(following), 'a move that waited was lost');
    return;
  }
  if (now) assert.deepEqual(now[1], was[1], 'it waits on');
  else if (before.at === after.at && before.mode.kind === after.mode.kind && before.link === after.link)
    assert.ok(action.type === 'answer' || REPLACES.has(action.type), `${action.type} dropped a move that waited`);
}
