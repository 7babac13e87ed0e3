// A game with variations. Trees are values: every change makes a new one and leaves the old as it was.

import { readComment, type Annotation, type Shape } from './comments';
import type { Facts, Judgement, Lesson, PeerReview, PgnGame, Score, SideReview, Start, Step } from './protocol';

export type NodeId = number;
export type Wdl = [number, number, number];

export const USUAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** The node before the first move. */
export const ROOT: NodeId = 0;

/** What the engine has found in a position. Scores of other programs have no chances. */
export interface Eval {
  score: Score;
  wdl: Wdl | null;
  depth: number;
}

/** What a review says about a move. */
export interface Judged {
  loss: number | null;
  judgement: Judgement | null;
  best: string | null;
}

/** A move and what is known and written about it. */
export interface GameNode {
  readonly id: NodeId;
  readonly parent: NodeId | null;
  /** The first is the main line. */
  readonly children: readonly NodeId[];
  readonly ply: number;
  readonly uci: string;
  readonly san: string;
  readonly fen: string;
  readonly facts: Facts | null;
  readonly eval: Eval | null;
  readonly judged: Judged | null;
  /** Why the move was bad, or that it was not. */
  readonly lesson: Lesson | null;
  /** What the coach has said about it, as a game's text has it. */
  readonly said: string;
  /** Comment before the move, at the beginning of a variation. */
  readonly before: string;
  readonly comment: string;
  /** Glyphs that a person has set, by number. */
  readonly nags: readonly number[];
  readonly shapes: readonly Shape[];
  readonly clock: string | null;
  /** A score that belongs to the game's text, from a file or a review. */
  readonly written: Score | null;
  readonly other: readonly string[];
  /** Whether a review has added the move. */
  readonly generated: boolean;
}

export interface ReviewSummary {
  white: SideReview;
  black: SideReview;
  /** The sides beside the levels of their ratings; unknown to reviews of earlier versions. */
  peers?: { white: PeerReview | null; black: PeerReview | null };
}

export interface Tree {
  readonly start: Start;
  readonly startFen: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly nodes: Readonly<Record<NodeId, GameNode>>;
  readonly nextId: NodeId;
  readonly review: ReviewSummary | null;
}

function blank(id: NodeId, parent: NodeId | null, ply: number, step: Step): GameNode {
  return {
    id,
    parent,
    children: [],
    ply,
    uci: step.uci,
    san: step.san,
    fen: step.fen,
    facts: null,
    eval: null,
    judged: null,
    lesson: null,
    said: '',
    before: '',
    comment: '',
    nags: [],
    shapes: [],
    clock: null,
    written: null,
    other: [],
    generated: false,
  };
}

/** The tree as text: without what is nothing, and without facts, which the server tells again. */
export function pack(tree: Tree): string {
  const isNothing = (value: unknown) => value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  const nodes = Object.values(tree.nodes).map((node) =>
    Object.fromEntries(Object.entries(node).filter(([name, value]) => name !== 'facts' && !isNothing(value))),
  );
  return JSON.stringify({ ...tree, nodes });
}

/** The tree of a text that `pack` has written. */
export function unpack(text: string): Tree {
  const kept = JSON.parse(text) as Omit<Tree, 'nodes'> & { nodes: (Partial<GameNode> & { id: NodeId })[] };
  const none = { uci: '', san: '', fen: '' };
  return { ...kept, nodes: Object.fromEntries(kept.nodes.map((node) => [node.id, { ...blank(node.id, null, 0, none), ...node }])) };
}

/** Whether the main lines of two trees have the same moves. */
export function hasSameMoves(one: Tree, other: Tree): boolean {
  const moves = (tree: Tree) => [tree.startFen, ...movesTo(tree, mainEnd(tree))].join(' ');
  return moves(one) === moves(other);
}

/** A game without moves. */
export function newTree(start: Start = 'usual', startFen: string = USUAL, headers: Record<string, string> = {}): Tree {
  const [, side, , , , number] = startFen.split(' ');
  const ply = (Number(number ?? 1) - 1) * 2 + (side === 'b' ? 1 : 0);
  const root = blank(ROOT, null, ply, { uci: '', san: '', fen: startFen });
  return { start: startFen === USUAL ? 'usual' : start, startFen, headers, nodes: { [ROOT]: root }, nextId: 1, review: null };
}

/** Whether a move is a null move, with which a side passes. Annotators write them; nobody may play them. */
export function isPass({ uci }: { uci: string }): boolean {
  return uci === '0000';
}

/** Whether a text is one of the ways to write a null move. */
export function meansPass(text: string): boolean {
  return ['--', 'Z0', '0000', 'null', '@@@@'].includes(text.trim());
}

/** A node that must be there. */
export function nodeOf(tree: Tree, id: NodeId): GameNode {
  const node = tree.nodes[id];
  if (!node) throw new Error(`there is no node ${id}`);
  return node;
}

export function has(tree: Tree, id: NodeId): boolean {
  return tree.nodes[id] !== undefined;
}

/** The tree with some fields of a node changed. */
export function change(tree: Tree, id: NodeId, fields: Partial<GameNode>): Tree {
  return { ...tree, nodes: { ...tree.nodes, [id]: { ...nodeOf(tree, id), ...fields } } };
}

/** Adds a move, unless it is there already; gives its node. */
export function addMove(tree: Tree, parent: NodeId, step: Step, fields: Partial<GameNode> = {}): [Tree, NodeId] {
  const before = nodeOf(tree, parent);
  const known = before.children.find((child) => nodeOf(tree, child).uci === step.uci);
  if (known !== undefined) return [tree, known];
  const id = tree.nextId;
  const node = { ...blank(id, parent, before.ply + 1, step), ...fields };
  const nodes = { ...tree.nodes, [id]: node, [parent]: { ...before, children: [...before.children, id] } };
  return [{ ...tree, nodes, nextId: id + 1 }, id];
}

/** The moves from the start to a node. */
export function path(tree: Tree, id: NodeId): NodeId[] {
  const list: NodeId[] = [];
  for (let at = nodeOf(tree, id); at.parent !== null; at = nodeOf(tree, at.parent)) list.push(at.id);
  return list.reverse();
}

/** The line through a node to its end, without the root. */
export function lineThrough(tree: Tree, id: NodeId): NodeId[] {
  const list = path(tree, id);
  for (let next = nodeOf(tree, id).children[0]; next !== undefined; next = nodeOf(tree, next).children[0]) list.push(next);
  return list;
}

export function mainLine(tree: Tree): NodeId[] {
  return lineThrough(tree, ROOT);
}

/** The last position of the main line. */
export function mainEnd(tree: Tree): NodeId {
  return mainLine(tree).at(-1) ?? ROOT;
}

/** Makes the line to a move the main line. */
export function promote(tree: Tree, id: NodeId): Tree {
  const nodes = { ...tree.nodes };
  for (let at = nodeOf(tree, id); at.parent !== null; at = nodeOf(tree, at.parent)) {
    const parent = nodes[at.parent] ?? nodeOf(tree, at.parent);
    nodes[at.parent] = { ...parent, children: [at.id, ...parent.children.filter((child) => child !== at.id)] };
  }
  return { ...tree, nodes };
}

/** A move and all that follow it. */
export function subtree(tree: Tree, id: NodeId): NodeId[] {
  const list = [id];
  for (let index = 0; index < list.length; index++) list.push(...nodeOf(tree, list[index] ?? id).children);
  return list;
}

/** Removes a move with all that follow it. */
export function remove(tree: Tree, id: NodeId): Tree {
  const { parent } = nodeOf(tree, id);
  if (parent === null) return tree;
  const nodes = { ...tree.nodes };
  for (const gone of subtree(tree, id)) delete nodes[gone];
  const before = nodeOf(tree, parent);
  nodes[parent] = { ...before, children: before.children.filter((child) => child !== id) };
  return { ...tree, nodes };
}

/** The moves to a node, as a request names them. */
export function movesTo(tree: Tree, id: NodeId): string[] {
  return path(tree, id).map((one) => nodeOf(tree, one).uci);
}

export function isMain(tree: Tree, id: NodeId): boolean {
  for (let at = nodeOf(tree, id); at.parent !== null; at = nodeOf(tree, at.parent)) {
    if (nodeOf(tree, at.parent).children[0] !== at.id) return false;
  }
  return true;
}

/** The fields of a node that a comment fills. */
function annotate(comment: string): Partial<GameNode> {
  const { text, score, clock, shapes, judged, said, other } = readComment(comment);
  return {
    comment: text,
    written: score,
    eval: score ? { score, wdl: null, depth: 0 } : null,
    clock,
    shapes,
    said,
    other,
    judged: judged ? { loss: null, ...judged } : null,
  };
}

export const JUDGEMENT_NAGS: Record<Judgement, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** The glyphs of a move: those of people, or that of a review. */
export function nagsOf(node: GameNode): number[] {
  const judged = node.judged?.judgement ? [JUDGEMENT_NAGS[node.judged.judgement]] : [];
  return node.nags.some((nag) => nag <= 6) ? [...node.nags] : [...judged, ...node.nags];
}

/** What the coach says about a bad move. Boards that were kept by older pages have no such text. */
export function saidOf({ lesson, judged, said }: GameNode): string {
  return lesson && judged?.judgement ? lesson.clauses.map(({ text }) => text).join(' ') : (said ?? '');
}

/** The comment of a node as PGN has it. */
export function annotationOf(node: GameNode): Annotation {
  const { comment, written, clock, shapes, judged, other } = node;
  const sentence = judged?.judgement && judged.best ? { judgement: judged.judgement, best: judged.best } : null;
  return { text: comment, score: written, clock, shapes: [...shapes], judged: sentence, said: saidOf(node), other: [...other] };
}

/** The tree of a game that was read. */
export function fromPgn(game: PgnGame): Tree {
  const start: Start = game.chess960 === null ? { fen: game.start_fen } : { chess960: game.chess960 };
  const empty = newTree(start, game.start_fen, game.headers);
  const nodes: Record<NodeId, GameNode> = { [ROOT]: { ...nodeOf(empty, ROOT), ...annotate(game.comment) } };
  const ids: NodeId[] = [];
  for (const [index, move] of game.moves.entries()) {
    const parent = move.parent === null ? ROOT : ids[move.parent];
    const before = parent === undefined ? undefined : nodes[parent];
    if (parent === undefined || !before) throw new Error('the game that was read makes no sense');
    // The same move twice is one variation.
    const known = before.children.find((child) => nodes[child]?.uci === move.uci);
    const id = known ?? index + 1;
    ids.push(id);
    if (known !== undefined) continue;
    const node = { ...blank(id, parent, before.ply + 1, move), ...annotate(move.comment), before: move.comment_before };
    const implied = node.judged?.judgement ? JUDGEMENT_NAGS[node.judged.judgement] : 0;
    nodes[id] = { ...node, nags: move.nags.filter((nag) => nag !== implied) };
    nodes[parent] = { ...before, children: [...before.children, id] };
  }
  return { ...empty, nodes, nextId: game.moves.length + 1 };
}

/** `12.` before a move of White, `12…` before one of Black. */
export function moveNumber(ply: number): string {
  return ply % 2 === 1 ? `${(ply + 1) / 2}.` : `${ply / 2}…`;
}

/** A score as people write it. */
export function scoreText(score: Score): string {
  if ('mate' in score) return score.mate < 0 ? `−#${-score.mate}` : `#${score.mate}`;
  const pawns = Math.abs(score.cp) / 100;
  const text = pawns >= 100 ? pawns.toFixed(0) : pawns >= 10 ? pawns.toFixed(1) : pawns.toFixed(2);
  if (score.cp === 0) return text;
  return (score.cp < 0 ? '−' : '+') + text;
}

/**
 * What White may expect between people, from 0 to 1: the curve of `review::Eval`, from human games.
 * The engine's own chances (`wdl`) are those of its games against itself, where a pawn decides.
 */
export function expectation({ score }: { score: Score }): number {
  if ('mate' in score) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * score.cp));
}
