// All transitions of the state. `update` is a pure function: it gives the next state and what is to
// be done outside, and touches neither the page, nor the clock of the system, nor the connection.

import { Draft, forget, leaveReview, open, plainFacts, type Action, type Effect } from './draft';
import { addLine, play, played, playLine } from './moving';
import { writePgn } from './pgn';
import { abandon, engineMove, newGame, offerDraw, resign, takeBack, tick } from './playing';
import type { Answer, Facts } from './protocol';
import { applyReview } from './review-merge';
import { settle } from './settle';
import { frozen, here, other, resourcesOf, resultOf, type Pending, type State } from './state';
import { endTraining, judged, nextExercise, retry, reveal, startTraining } from './training';
import type { Link } from './transport';
import { change, has, mainEnd, mainLine, promote, remove, ROOT, subtree, type GameNode, type NodeId } from './tree';

export type { Action, Effect } from './draft';
export { whyNotMove } from './moving';

/** The engine does not answer before the eye has seen the user's move. */
const SHORTEST_THOUGHT_MS = 350;

/** What happens by itself, or has nothing to do with the position, leaves a recorded one on the board. */
const LEAVES_PEEK = new Set<Action['type']>([
  'answer',
  'asking',
  'engine-move',
  'flip',
  'headers',
  'lesson',
  'link',
  'peek',
  'point',
  'set',
  'threat',
  'tick',
]);

/** The next state, and what is to be done. `now` is in milliseconds. */
export function update(state: State, action: Action, now: number): { state: State; effects: Effect[] } {
  const draft = new Draft(state, now);
  apply(draft, action);
  const isElsewhere = draft.state.at !== state.at || draft.state.mode.kind !== state.mode.kind;
  if (draft.state.peek && (isElsewhere || !LEAVES_PEEK.has(action.type))) draft.set({ peek: null });
  settle(draft);
  if (draft.state.mode.kind !== state.mode.kind) draft.dropMoves();
  return { state: draft.state, effects: draft.effects };
}

function apply(draft: Draft, action: Action): void {
  const { state } = draft;
  switch (action.type) {
    case 'link':
      return link(draft, action.state, action.reason);
    case 'answer':
      return answer(draft, action.answer);
    case 'go':
      if (has(state.tree, action.node)) draft.show(action.node);
      return;
    case 'play':
      return play(draft, action.text);
    case 'play-line':
      return playLine(draft, action.search, action.steps);
    case 'add-line':
      return addLine(draft, action);
    case 'open':
      return open(draft, action);
    case 'new-game':
      return newGame(draft, action);
    case 'engine-move':
      return engineMove(draft, action.id, action.step, action.book);
    case 'take-back':
      return takeBack(draft);
    case 'resign':
      return resign(draft);
    case 'abandon':
      return abandon(draft);
    case 'offer-draw':
      return offerDraw(draft);
    case 'hint':
      if (state.mode.kind === 'playing' && state.mode.game.color) draft.set({ hint: mainEnd(state.tree) });
      return;
    case 'tick':
      return tick(draft);
    case 'review':
      return review(draft, action.nodes);
    case 'stop-review':
      return stopReview(draft);
    case 'lesson':
      if (state.tree.nodes[action.node]?.fen === action.fen)
        draft.set({ tree: change(state.tree, action.node, { lesson: action.lesson }) });
      return;
    case 'point':
      if (action.steps.length || state.pointed.length) draft.set({ pointed: action.steps });
      return;
    case 'peek':
      if (!action.peek || state.mode.kind === 'analysing' || state.mode.kind === 'over') draft.set({ peek: action.peek });
      return;
    case 'train':
      return startTraining(draft, action.exercises);
    case 'retry':
      return retry(draft);
    case 'reveal':
      return reveal(draft);
    case 'exercise-hint':
      if (state.mode.kind === 'training' && state.mode.stage === 'solving') draft.setMode({ ...state.mode, hinted: true });
      return;
    case 'next-exercise':
      return nextExercise(draft);
    case 'end-training':
      return endTraining(draft);
    case 'promote':
      if (state.mode.kind !== 'playing' && state.mode.kind !== 'training' && has(state.tree, action.node))
        draft.set({ tree: promote(state.tree, action.node) });
      return;
    case 'delete':
      return deleteMove(draft, action.node);
    case 'annotate':
      return annotate(draft, action.node, action.fields);
    case 'headers':
      draft.set({ tree: { ...state.tree, headers: { ...state.tree.headers, ...action.headers } } });
      return;
    case 'flip':
      draft.set({ orientation: other(state.orientation) });
      return;
    case 'threat':
      draft.set({ threat: action.on && !here(state).facts?.check });
      return;
    case 'set':
      draft.set({ settings: { ...state.settings, ...action.settings } });
      return;
    case 'undo':
      return undo(draft);
    case 'asking':
      draft.set({ asking: action.node });
      // The question takes the engine: what was searched has to be asked for again.
      if (state.search) draft.set({ search: { ...state.search, stopped: true, id: 0 } });
      return;
    case 'adopt':
      leaveReview(draft);
      draft.stopSearch(false);
      draft.set({ ...action.kept, pending: {}, undo: null, threat: false, hint: null, pointed: [], about: null });
      return;
  }
}

/** What is asked is forgotten by the server with the connection: everything is asked again. */
function link(draft: Draft, state: Link, reason: string): void {
  const wasOpen = draft.isOpen;
  draft.set({ link: { state, reason } });
  if (wasOpen || state !== 'open') {
    const { mode, search } = draft.state;
    draft.set({ pending: {}, asking: null, search: search ? { ...search, stopped: true, id: 0 } : null });
    if (mode.kind === 'playing') draft.setMode(frozen(mode, draft.now));
    if (mode.kind === 'training' && mode.stage === 'checking') retry(draft);
    if (mode.kind === 'reviewing') {
      draft.setMode(mode.back);
      draft.notice('The connection was lost, so the review has ended.');
    }
  }
}

function answer(draft: Draft, message: Answer): void {
  const { state } = draft;
  switch (message.type) {
    case 'hello':
      draft.set({
        limits: {
          minElo: message.min_elo,
          maxElo: message.max_elo,
          engine: message.engine,
          usual: message.usual,
          most: message.most,
          book: message.book,
        },
      });
      return;
    case 'position':
      return position(draft, message.id, message);
    case 'search':
      return searched(draft, message);
    case 'best': {
      const thinking = state.mode.kind === 'playing' ? state.mode.thinking : null;
      if (thinking?.id !== message.id) return;
      if (!message.best) return cannotMove(draft);
      const wait = Math.max(0, SHORTEST_THOUGHT_MS - (draft.now - thinking.since));
      const action: Action = { type: 'engine-move', id: message.id, step: message.best, book: message.book };
      draft.effects.push({ type: 'later', ms: wait, action });
      return;
    }
    case 'progress': {
      const { mode } = state;
      if (mode.kind !== 'reviewing' || mode.id !== message.id) return;
      const node = mode.line[message.ply];
      const { score, wdl, depth, done, total } = message;
      draft.setMode({ ...mode, done, total });
      if (node !== undefined && has(state.tree, node)) draft.set({ tree: change(state.tree, node, { eval: { score, wdl, depth } }) });
      return;
    }
    case 'reviewed': {
      const { mode } = state;
      if (mode.kind !== 'reviewing' || mode.id !== message.id) return;
      draft.set({ tree: applyReview(state.tree, mode.line, state.at, message) });
      draft.setMode(mode.back);
      return;
    }
    case 'explaining':
    case 'comparing': {
      const { mode } = state;
      const stage = message.type === 'explaining' ? 'mistakes' : 'levels';
      if (mode.kind === 'reviewing' && mode.id === message.id) draft.setMode({ ...mode, done: message.done, total: message.total, stage });
      return;
    }
    case 'explained':
      return judged(draft, message.id, message.lesson);
    case 'error':
      return failed(draft, message.id, message.message);
    default:
  }
}

function failed(draft: Draft, id: number | null, message: string): void {
  const { state } = draft;
  draft.notice(message);
  if (id === null) return;
  const pending = state.pending[id];
  if (pending?.kind === 'facts') draft.set({ pending: { ...state.pending, [id]: { ...pending, failed: true } } });
  else if (pending) forget(draft, id);
  if (state.mode.kind === 'reviewing' && state.mode.id === id) draft.setMode(state.mode.back);
  if (state.mode.kind === 'training' && state.mode.asked === id) retry(draft);
  if (state.mode.kind === 'playing' && state.mode.thinking?.id === id) return cannotMove(draft);
  // What has failed once is not asked for again until something changes.
  if (state.search?.id === id) draft.set({ search: { ...state.search, stopped: true } });
}

/** The game cannot go on. Whoever wants to try again has an undo. */
function cannotMove(draft: Draft): void {
  draft.snapshot('The game has ended: Halcyon could not move');
  abandon(draft);
}

function position(draft: Draft, id: number, facts: Facts): void {
  const pending: Pending | undefined = draft.state.pending[id];
  if (!pending) return;
  forget(draft, id);
  if (pending.kind === 'facts') {
    if (has(draft.state.tree, pending.node)) draft.set({ tree: change(draft.state.tree, pending.node, { facts: plainFacts(facts) }) });
    return;
  }
  played(draft, pending, facts);
}

function searched(draft: Draft, message: Extract<Answer, { type: 'search' }>): void {
  const { search, mode, tree } = draft.state;
  if (!search || search.id !== message.id) return;
  const ended = message.state !== 'running' && message.state !== 'waiting';
  draft.set({ search: { ...search, view: message, isCarried: false, stopped: search.stopped || ended } });
  const best = message.lines[0];
  if (!best) return;
  if (mode.kind === 'playing') {
    const score = 'cp' in best.score ? best.score.cp : best.score.mate > 0 ? 10_000 : -10_000;
    if (search.purpose === 'move') draft.setMode({ ...mode, game: { ...mode.game, score } });
    return;
  }
  // The score is kept with the position, for the list and the graph.
  const node = tree.nodes[search.node];
  if (search.threat || search.purpose !== 'analysis' || !node || (node.eval && node.eval.depth > best.depth)) return;
  const { score, wdl, depth } = best;
  draft.set({ tree: change(tree, search.node, { eval: { score, wdl, depth } }) });
}

function review(draft: Draft, nodes: number): void {
  const { mode, tree } = draft.state;
  if ((mode.kind !== 'analysing' && mode.kind !== 'over') || !draft.isOpen) return;
  const main = mainLine(tree);
  if (main.length === 0) {
    draft.notice('There is no game to review. Paste one, or drop a PGN file on the page.');
    return;
  }
  draft.set({ search: null });
  const pgn = writePgn(tree, resultOf(draft.state));
  const resources = resourcesOf(draft.state);
  const id = draft.send((id) => ({ type: 'review', id, pgn, nodes, explain: true, peers: true, ...(resources ? { resources } : {}) }));
  draft.setMode({ kind: 'reviewing', id, line: [ROOT, ...main], done: 0, total: main.length + 1, stage: 'positions', back: mode });
}

function stopReview(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind !== 'reviewing') return;
  leaveReview(draft);
  draft.setMode(mode.back);
}

function deleteMove(draft: Draft, node: NodeId): void {
  const { mode, tree, at } = draft.state;
  const parent = tree.nodes[node]?.parent;
  if (mode.kind === 'playing' || mode.kind === 'training' || parent === null || parent === undefined) return;
  draft.snapshot('Moves were deleted');
  if (subtree(tree, node).includes(at)) draft.show(parent);
  draft.set({ tree: remove(tree, node) });
}

/** Changes what a person has written about a position; only moves have symbols. */
function annotate(draft: Draft, node: NodeId, fields: Partial<GameNode>): void {
  const { tree } = draft.state;
  const { nags, ...rest } = fields;
  if (has(tree, node)) draft.set({ tree: change(tree, node, node === ROOT || !nags ? rest : { nags, ...rest }) });
}

function undo(draft: Draft): void {
  const { undo: kept } = draft.state;
  if (!kept) return;
  leaveReview(draft);
  draft.stopSearch(false);
  const { tree, at, orientation, mode } = kept;
  draft.set({ tree, at, orientation, mode, pending: {}, undo: null, threat: false, hint: null, pointed: [], about: null });
}
