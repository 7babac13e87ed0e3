// All transitions of the state. `update` is a pure function: it gives the next state and what is to
// be done outside, and touches neither the page, nor the clock of the system, nor the connection.

import { writePgn } from './pgn';
import type { Answer, Ending, Facts, Request, Side, Step } from './protocol';
import { applyReview } from './review-merge';
import type { Settings } from './settings';
import {
  canTakeBack,
  frozen,
  here,
  levelName,
  other,
  resultOf,
  shownSearch,
  sideToMove,
  timeLeft,
  type Game,
  type GameSetup,
  type Kept,
  type LiveSearch,
  type Mode,
  type Pending,
  type Playing,
  type State,
} from './state';
import type { Link } from './transport';
import { addMove, change, has, mainEnd, mainLine, movesTo, nodeOf, promote, remove, ROOT, subtree, type GameNode, type NodeId, type Tree } from './tree';

export type Action =
  | { type: 'link'; state: Link; reason: string }
  | { type: 'answer'; answer: Answer }
  | { type: 'go'; node: NodeId }
  | { type: 'play'; text: string }
  | { type: 'play-line'; search: number; steps: Step[] }
  | { type: 'add-line'; node: NodeId; fen: string; steps: Step[] }
  | { type: 'open'; tree: Tree; at?: NodeId; facts?: Facts; label: string }
  | { type: 'new-game'; tree: Tree; facts: Facts; setup: GameSetup; color: Side | null; date: string }
  | { type: 'engine-move'; id: number; step: Step; book: boolean }
  | { type: 'take-back' }
  | { type: 'resign' }
  | { type: 'abandon' }
  | { type: 'offer-draw' }
  | { type: 'hint' }
  | { type: 'tick' }
  | { type: 'review'; nodes: number }
  | { type: 'stop-review' }
  | { type: 'promote'; node: NodeId }
  | { type: 'delete'; node: NodeId }
  | { type: 'annotate'; node: NodeId; fields: Partial<Pick<GameNode, 'comment' | 'nags' | 'shapes'>> }
  | { type: 'headers'; headers: Record<string, string> }
  | { type: 'flip' }
  | { type: 'threat'; on: boolean }
  | { type: 'set'; settings: Partial<Settings> }
  | { type: 'undo' }
  | { type: 'restart' }
  | { type: 'adopt'; kept: Kept };

export type Effect =
  | { type: 'send'; request: Request }
  | { type: 'notice'; text: string }
  | { type: 'toast'; label: string }
  | { type: 'later'; ms: number; action: Action };

/** The engine does not answer before the eye has seen the user's move. */
const SHORTEST_THOUGHT_MS = 350;
/** A hint is deep enough at this depth. */
const HINT_DEPTH = 14;

/** A transition that is being made. */
class Draft {
  readonly effects: Effect[] = [];

  constructor(
    public state: State,
    readonly now: number,
  ) {}

  set(fields: Partial<State>): void {
    this.state = { ...this.state, ...fields };
  }

  notice(text: string): void {
    this.effects.push({ type: 'notice', text });
  }

  /** Sends a request with an id of its own. */
  send(make: (id: number) => Request): number {
    const id = this.state.nextId;
    this.set({ nextId: id + 1 });
    this.effects.push({ type: 'send', request: make(id) });
    return id;
  }

  /** Ends the search, and forgets it unless its last answer is wanted. */
  stopSearch(keep: boolean): void {
    const { search } = this.state;
    if (!search) return;
    if (!search.stopped && this.isOpen) this.effects.push({ type: 'send', request: { type: 'stop', id: search.id } });
    this.set({ search: keep ? { ...search, stopped: true } : null });
  }

  get isOpen(): boolean {
    return this.state.link.state === 'open';
  }

  /** Puts a node on the board. */
  show(at: NodeId): void {
    if (at !== this.state.at) this.set({ at, threat: false });
  }

  setMode(mode: Mode): void {
    this.set({ mode });
  }

  /** Keeps what is on the board, so that it can be brought back. */
  snapshot(label: string): void {
    const { tree, at, orientation, mode } = this.state;
    this.set({ undo: { label, tree, at, orientation, mode: frozen(mode, this.now) } });
    this.effects.push({ type: 'toast', label });
  }
}

/** The next state, and what is to be done. `now` is in milliseconds. */
export function update(state: State, action: Action, now: number): { state: State; effects: Effect[] } {
  const draft = new Draft(state, now);
  apply(draft, action);
  settle(draft);
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
    case 'promote':
      if (state.mode.kind !== 'playing' && has(state.tree, action.node)) draft.set({ tree: promote(state.tree, action.node) });
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
    case 'restart':
      // Another request has taken the engine: what was searched has to be asked for again.
      if (state.search) draft.set({ search: { ...state.search, stopped: true, id: 0 } });
      if (state.mode.kind === 'playing') draft.setMode({ ...state.mode, thinking: null });
      return;
    case 'adopt':
      leaveReview(draft);
      draft.stopSearch(false);
      draft.set({ ...action.kept, pending: {}, undo: null, threat: false, hint: null });
      return;
  }
}

/** What is asked is forgotten by the server with the connection: everything is asked again. */
function link(draft: Draft, state: Link, reason: string): void {
  const wasOpen = draft.isOpen;
  draft.set({ link: { state, reason } });
  if (wasOpen || state !== 'open') {
    const { mode, search } = draft.state;
    draft.set({ pending: {}, search: search ? { ...search, stopped: true, id: 0 } : null });
    if (mode.kind === 'playing') draft.setMode(frozen(mode, draft.now));
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
      draft.set({ limits: { minElo: message.min_elo, maxElo: message.max_elo, engine: message.engine } });
      return;
    case 'position':
      return position(draft, message.id, message);
    case 'search':
      return searched(draft, message);
    case 'best': {
      const thinking = state.mode.kind === 'playing' ? state.mode.thinking : null;
      if (thinking?.id !== message.id || !message.best) return;
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
  // What has failed once is not asked for again until something changes.
  if (state.search?.id === id) draft.set({ search: { ...state.search, stopped: true } });
}

function forget(draft: Draft, id: number): void {
  const { [id]: _, ...pending } = draft.state.pending;
  draft.set({ pending });
}

function position(draft: Draft, id: number, facts: Facts): void {
  const pending: Pending | undefined = draft.state.pending[id];
  if (!pending) return;
  forget(draft, id);
  if (pending.kind === 'facts') {
    if (has(draft.state.tree, pending.node)) draft.set({ tree: change(draft.state.tree, pending.node, { facts: plainFacts(facts) }) });
    return;
  }
  // The user has gone elsewhere meanwhile, or it is not his move any more.
  if (!facts.last || pending.from !== draft.state.at || whyNotMove(draft.state)) return;
  makeMove(draft, pending.from, facts.last, plainFacts(facts));
}

/** The facts without the rest of the answer. */
function plainFacts({ fen, start_fen, turn, check, dests, last, outcome, opening }: Facts): Facts {
  return { fen, start_fen, turn, check, dests, last, outcome, opening };
}

function searched(draft: Draft, message: Extract<Answer, { type: 'search' }>): void {
  const { search, mode, tree } = draft.state;
  if (!search || search.id !== message.id) return;
  const ended = message.state !== 'running' && message.state !== 'waiting';
  draft.set({ search: { ...search, view: message, stopped: search.stopped || ended } });
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

/** Why the user cannot move in the position on the board; nothing if he can. */
export function whyNotMove(state: State): string {
  const { mode, tree, at } = state;
  const facts = here(state).facts;
  if (facts?.outcome) return `The game is over here: ${facts.outcome.reason}.`;
  if (mode.kind !== 'playing') return '';
  const end = mainEnd(tree);
  if (mode.game.color === null) return 'Halcyon plays both sides.';
  if (at !== end) return 'Go to the end of the game to make a move.';
  return sideToMove(tree, end) === mode.game.color ? '' : 'It is Halcyon’s move.';
}

function play(draft: Draft, text: string): void {
  const { state } = draft;
  const reason = draft.isOpen ? whyNotMove(state) : 'There is no connection to Halcyon.';
  if (reason) {
    draft.notice(reason);
    return;
  }
  const from = state.at;
  const at = { start: state.tree.start, moves: [...movesTo(state.tree, from), text] };
  const id = draft.send((id) => ({ type: 'position', id, at }));
  draft.set({ pending: { ...draft.state.pending, [id]: { kind: 'play', from } } });
}

/** Adds a legal move and goes to it; in a game, the clock of the mover stops. */
function makeMove(draft: Draft, from: NodeId, step: Step, facts: Facts | null): void {
  const mover = sideToMove(draft.state.tree, from);
  const wasShown = draft.state.at === from;
  const [tree, id] = addMove(draft.state.tree, from, step);
  draft.set({ tree: facts ? change(tree, id, { facts }) : tree, hint: null });
  if (wasShown) draft.show(id);
  const { mode } = draft.state;
  if (mode.kind !== 'playing') return;
  const { game } = mode;
  if (!game.hasClock) return;
  // The clocks start after the first move.
  const isFirst = from === ROOT;
  const left = timeLeft(game, mover, draft.now) + (isFirst ? 0 : game.setup.increment * 1000);
  draft.setMode({ ...mode, game: { ...game, left: { ...game.left, [mover]: left }, running: null } });
  draft.set({ tree: change(draft.state.tree, id, { clock: clockCommand(left) }) });
}

function clockCommand(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Adds the moves of a line; its search must be that of the position on the board. */
function playLine(draft: Draft, search: number, steps: Step[]): void {
  const { state } = draft;
  const shown = shownSearch(state);
  if (shown?.id !== search || shown.threat) return;
  let { tree, at } = state;
  for (const step of steps) [tree, at] = addMove(tree, at, step);
  draft.set({ tree });
  draft.show(at);
}

/** Adds the moves that lead from a position to one of its recorded search, and shows it. */
function addLine(draft: Draft, action: Extract<Action, { type: 'add-line' }>): void {
  const { state } = draft;
  // The game may be another one by now.
  if (state.mode.kind === 'playing' || state.tree.nodes[action.node]?.fen !== action.fen) return;
  let { tree } = state;
  let at = action.node;
  for (const step of action.steps) [tree, at] = addMove(tree, at, step);
  draft.set({ tree });
  draft.show(at);
}

function leaveReview(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind === 'reviewing' && draft.isOpen) draft.effects.push({ type: 'send', request: { type: 'stop', id: mode.id } });
}

function isWorthKeeping({ tree }: State): boolean {
  return tree.nextId > 1 || tree.start !== 'usual';
}

/** Puts another game on the board. */
function open(draft: Draft, action: Extract<Action, { type: 'open' }>): void {
  leaveReview(draft);
  if (isWorthKeeping(draft.state)) draft.snapshot(action.label);
  const at = action.at !== undefined && has(action.tree, action.at) ? action.at : ROOT;
  const tree = action.facts ? change(action.tree, at, { facts: plainFacts(action.facts) }) : action.tree;
  draft.stopSearch(false);
  draft.set({ tree, at, mode: { kind: 'analysing' }, pending: {}, threat: false, hint: null });
}

function newGame(draft: Draft, action: Extract<Action, { type: 'new-game' }>): void {
  const { setup, color } = action;
  const level = levelName(setup.elo);
  const headers = {
    Event: 'Game against Halcyon',
    Site: '?',
    Date: action.date,
    White: color === 'white' ? 'You' : level,
    Black: color === 'black' ? 'You' : level,
  };
  open(draft, { type: 'open', tree: { ...action.tree, headers }, facts: action.facts, label: 'A new game has replaced the old one' });
  const start = Math.max(setup.minutes * 60, setup.increment) * 1000;
  const game: Game = {
    color,
    setup,
    hasClock: setup.minutes > 0 || setup.increment > 0,
    left: { white: start, black: start },
    running: null,
    fromBook: false,
    score: null,
  };
  draft.set({ orientation: color ?? 'white', mode: { kind: 'playing', game, thinking: null } });
}

function engineMove(draft: Draft, id: number, step: Step, book: boolean): void {
  const { mode, tree } = draft.state;
  if (mode.kind !== 'playing' || mode.thinking?.id !== id) return;
  draft.setMode({ ...mode, game: { ...mode.game, fromBook: book }, thinking: null });
  makeMove(draft, mainEnd(tree), step, null);
}

function takeBack(draft: Draft): void {
  const { state } = draft;
  const { mode, tree } = state;
  if ((mode.kind !== 'playing' && mode.kind !== 'over') || !canTakeBack(state)) return;
  const own = mainLine(tree).findLast((id) => other(sideToMove(tree, id)) === mode.game.color);
  const to = own === undefined ? null : nodeOf(tree, own).parent;
  if (own === undefined || to === null) return;
  const { Result: _, ...headers } = tree.headers;
  draft.stopSearch(false);
  draft.set({ tree: { ...remove(tree, own), headers }, hint: null });
  draft.show(to);
  const running = mode.kind === 'playing' ? frozen(mode, draft.now) : { kind: 'playing' as const, game: { ...mode.game, running: null }, thinking: null };
  draft.setMode(running);
}

function end(draft: Draft, mode: Playing, ending: Ending): void {
  const kept = frozen(mode, draft.now);
  const game = kept.kind === 'playing' ? kept.game : mode.game;
  draft.stopSearch(false);
  draft.set({ hint: null });
  draft.setMode({ kind: 'over', game, ending });
  draft.set({ tree: { ...draft.state.tree, headers: { ...draft.state.tree.headers, Result: ending.result } } });
}

function resign(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind !== 'playing') return;
  const { color } = mode.game;
  if (color === null) abandon(draft);
  else end(draft, mode, { result: color === 'white' ? '0-1' : '1-0', reason: 'you resigned' });
}

/** Ends a game without a result. */
function abandon(draft: Draft): void {
  if (draft.state.mode.kind !== 'playing') return;
  draft.stopSearch(false);
  draft.set({ mode: { kind: 'analysing' }, hint: null });
}

/** The engine takes a draw when it stands worse, or when a long game is level. */
function offerDraw(draft: Draft): void {
  const { mode, tree } = draft.state;
  if (mode.kind !== 'playing' || mode.game.color === null) return;
  const { score, color } = mode.game;
  const own = score === null ? null : color === 'black' ? score : -score;
  const isLong = mainLine(tree).length >= 60;
  if (own !== null && (own <= -50 || (isLong && own <= 15))) end(draft, mode, { result: '1/2-1/2', reason: 'draw agreed' });
  else draft.notice('Halcyon declines the draw.');
}

function tick(draft: Draft): void {
  const { mode, tree } = draft.state;
  if (mode.kind !== 'playing' || !mode.game.running) return;
  const { side } = mode.game.running;
  if (timeLeft(mode.game, side, draft.now) > 0) return;
  const winner = other(side);
  // A bare king cannot win.
  const placement = nodeOf(tree, mainEnd(tree)).fen.split(' ')[0] ?? '';
  const pieces = placement.replace(/[^a-z]/gi, '').split('').filter((piece) => (piece === piece.toUpperCase()) === (winner === 'white'));
  const reason = mode.game.color === null ? 'time is up' : side === mode.game.color ? 'your time is up' : 'Halcyon’s time is up';
  const result = pieces.length === 1 ? '1/2-1/2' : winner === 'white' ? '1-0' : '0-1';
  end(draft, mode, { result, reason: pieces.length === 1 ? `${reason}, but a bare king cannot win` : reason });
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
  const id = draft.send((id) => ({ type: 'review', id, pgn, nodes }));
  draft.setMode({ kind: 'reviewing', id, line: [ROOT, ...main], done: 0, total: main.length + 1, back: mode });
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
  if (mode.kind === 'playing' || parent === null || parent === undefined) return;
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
  draft.set({ tree, at, orientation, mode, pending: {}, undo: null, threat: false, hint: null });
}

/** Brings the rest in line with what has changed: facts, the game, its clock, the search. */
function settle(draft: Draft): void {
  askFacts(draft, draft.state.at);
  const { mode } = draft.state;
  if (mode.kind === 'playing') {
    askFacts(draft, mainEnd(draft.state.tree));
    settleGame(draft, mode);
    return;
  }
  if (mode.kind === 'reviewing') {
    if (draft.state.search) draft.set({ search: null });
    return;
  }
  settleAnalysis(draft);
}

function askFacts(draft: Draft, node: NodeId): void {
  const { tree, pending } = draft.state;
  if (!draft.isOpen || nodeOf(tree, node).facts) return;
  if (Object.values(pending).some((one) => one.kind === 'facts' && one.node === node)) return;
  const at = { start: tree.start, moves: movesTo(tree, node) };
  const id = draft.send((id) => ({ type: 'position', id, at }));
  draft.set({ pending: { ...draft.state.pending, [id]: { kind: 'facts', node, failed: false } } });
}

function settleGame(draft: Draft, mode: Playing): void {
  const { tree, settings, hint } = draft.state;
  const last = mainEnd(tree);
  const facts = nodeOf(tree, last).facts;
  if (facts?.outcome) {
    end(draft, mode, facts.outcome);
    settleAnalysis(draft);
    return;
  }
  const side = sideToMove(tree, last);
  let { game, thinking } = mode;
  if (game.hasClock && draft.isOpen && last !== ROOT && game.running?.side !== side) {
    game = { ...game, running: { side, since: draft.now } };
  }
  if (game !== mode.game) draft.setMode({ ...mode, game });
  if (!draft.isOpen) return;
  if (side === game.color) {
    settleHint(draft, hint === last ? last : null);
    return;
  }
  // Without facts the game may be over.
  if (thinking || !facts) return;
  const { elo, increment } = game.setup;
  const clock = { remaining_ms: Math.round(timeLeft(game, side, draft.now)), increment_ms: increment * 1000 };
  const at = { start: tree.start, moves: movesTo(tree, last) };
  const id = draft.send((id) => ({
    type: 'play_move',
    id,
    at,
    statistics: settings.statistics,
    ...(elo ? { elo } : {}),
    ...(game.hasClock ? { clock } : game.color === null ? { move_time_ms: 1000 } : {}),
  }));
  thinking = { id, since: draft.now };
  const search: LiveSearch = { id, node: last, purpose: 'move', threat: false, lines: 1, statistics: settings.statistics, stopped: false, view: null };
  draft.set({ search });
  draft.setMode({ kind: 'playing', game, thinking });
}

/** In a game, only a hint is searched while the user thinks. */
function settleHint(draft: Draft, node: NodeId | null): void {
  const { search, tree } = draft.state;
  if (node === null || search?.node !== node || search.purpose !== 'hint') {
    if (search && (search.purpose !== 'move' || !search.stopped)) draft.stopSearch(search.purpose === 'move');
    if (node === null) return;
    const at = { start: tree.start, moves: movesTo(tree, node) };
    const id = draft.send((id) => ({ type: 'analyse', id, at, lines: 1, statistics: false, threat: false }));
    draft.set({ search: { id, node, purpose: 'hint', threat: false, lines: 1, statistics: false, stopped: false, view: null } });
    return;
  }
  if (!search.stopped && (search.view?.depth ?? 0) >= HINT_DEPTH) draft.stopSearch(true);
}

function settleAnalysis(draft: Draft): void {
  const { at, tree, settings, search, threat } = draft.state;
  const { lines, statistics } = settings;
  const facts = nodeOf(tree, at).facts;
  const mayThreaten = threat && !facts?.check;
  const wanted = settings.engine && draft.isOpen && facts !== null && !facts.outcome;
  const fits = search?.purpose === 'analysis' && search.node === at;
  if (!wanted) {
    // What was found stays in view until the board shows something else.
    if (!fits || facts?.outcome) draft.stopSearch(false);
    else if (search && !search.stopped) draft.stopSearch(true);
    return;
  }
  const same = fits && search.lines === lines && search.statistics === statistics && search.threat === mayThreaten;
  const isDeep = settings.maxDepth > 0 && (search?.view?.depth ?? 0) >= settings.maxDepth;
  if (same && isDeep) {
    if (!search.stopped) draft.stopSearch(true);
    return;
  }
  const isOver = search?.stopped && search.view && (search.view.state === 'done' || search.view.state === 'idle');
  const hasFailed = search?.stopped && !search.view && search.id !== 0;
  if (same && (!search.stopped || isOver || hasFailed)) return;
  const position = { start: tree.start, moves: movesTo(tree, at) };
  const id = draft.send((id) => ({ type: 'analyse', id, at: position, lines, statistics, threat: mayThreaten }));
  const view = fits && search.threat === mayThreaten ? search.view : null;
  draft.set({ search: { id, node: at, purpose: 'analysis', threat: mayThreaten, lines, statistics, stopped: false, view } });
}
