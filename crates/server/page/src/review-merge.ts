// Writes the result of a review into a game. What people have written stays; what an earlier review
// has written is replaced.

import type { Answer } from './protocol';
import { addMove, change, has, nodeOf, remove, subtree, type NodeId, type Tree } from './tree';

type Reviewed = Extract<Answer, { type: 'reviewed' }>;

/** Whether a person has added nothing to a variation of a review. */
function isUntouched(tree: Tree, id: NodeId): boolean {
  return subtree(tree, id).every((one) => {
    const node = nodeOf(tree, one);
    return node.generated && !node.comment && !node.before && node.nags.length === 0 && node.shapes.length === 0;
  });
}

/** The game without the words and variations of an earlier review; `keep` is on the board and stays. */
function withoutReview(tree: Tree, line: NodeId[], keep: NodeId): Tree {
  let cleared = tree;
  for (const id of line) {
    if (!has(cleared, id)) continue;
    cleared = change(cleared, id, { judged: null, lesson: null, said: '' });
    for (const child of nodeOf(cleared, id).children) {
      if (!isUntouched(cleared, child) || subtree(cleared, child).includes(keep)) continue;
      cleared = remove(cleared, child);
    }
  }
  return cleared;
}

/** The reviewed game. `line` is the root and the main line that was reviewed. */
export function applyReview(tree: Tree, line: NodeId[], keep: NodeId, answer: Reviewed): Tree {
  let merged = withoutReview(tree, line, keep);
  for (const [index, judged] of answer.plies.entries()) {
    const [before, id] = [line[index], line[index + 1]];
    if (before === undefined || id === undefined || !has(merged, id)) continue;
    const { loss, judgement, best, score, wdl, depth, lesson } = judged;
    const first = best[0];
    merged = change(merged, id, {
      judged: { loss, judgement, best: first?.san ?? null },
      lesson,
      ...(score ? { eval: { score, wdl, depth }, written: score } : {}),
    });
    if (!judgement || !first || first.uci === nodeOf(merged, id).uci) continue;
    let at = before;
    for (const step of best) [merged, at] = addMove(merged, at, step, { generated: true });
  }
  const peers = { white: answer.white_peer, black: answer.black_peer };
  return { ...merged, review: { white: answer.white, black: answer.black, peers } };
}
