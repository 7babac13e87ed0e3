// A transition that is being made, and what all transitions share.

import type { Answer, Facts, Lesson, Request, Side, Step } from './protocol';
import type { Settings } from './settings';
import { sideToMove, timeLeft, underlying, type Exercise, type GameSetup, type Kept, type Mode, type Peek, type State } from './state';
import type { Link } from './transport';
import { addMove, change, has, ROOT, type GameNode, type NodeId, type Tree } from './tree';

export type Action =
  | { type: 'link'; state: Link; reason: string }
  | { type: 'answer'; answer: Answer }
  | { type: 'go'; node: NodeId }
  | { type: 'play'; text: string }
  | { type: 'play-line'; search: number; steps: Step[] }
  | { type: 'add-line'; node: NodeId; fen: string; steps: Step[]; show?: number; generated?: boolean; about?: NodeId }
  | { type: 'lesson'; node: NodeId; fen: string; lesson: Lesson }
  | { type: 'point'; steps: readonly Step[] }
  | { type: 'peek'; peek: Peek | null }
  | { type: 'train'; exercises: readonly Exercise[] }
  | { type: 'retry' }
  | { type: 'reveal' }
  | { type: 'exercise-hint' }
  | { type: 'next-exercise' }
  | { type: 'end-training' }
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
  | { type: 'asking'; node: NodeId | null }
  | { type: 'adopt'; kept: Kept };

export type Effect =
  | { type: 'send'; request: Request }
  | { type: 'notice'; text: string }
  | { type: 'toast'; label: string }
  | { type: 'later'; ms: number; action: Action };

/** A transition that is being made. */
export class Draft {
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
    if (at === this.state.at) return;
    const { about } = this.state;
    this.dropMoves();
    this.set({ at, threat: false, pointed: [], about: about?.line.includes(at) ? about : null });
  }

  /** Moves that wait for the server belong to the position, and to the game, that they were made in. */
  dropMoves(): void {
    const { pending } = this.state;
    this.set({ pending: Object.fromEntries(Object.entries(pending).filter(([, { kind }]) => kind !== 'play')) });
  }

  setMode(mode: Mode): void {
    this.set({ mode });
  }

  /** Keeps what is on the board, so that it can be brought back. */
  snapshot(label: string): void {
    this.set({ undo: { label, ...underlying(this.state, this.now) } });
    this.effects.push({ type: 'toast', label });
  }
}

/** The facts without the rest of the answer. */
export function plainFacts({ fen, start_fen, turn, check, dests, last, outcome, opening }: Facts): Facts {
  return { fen, start_fen, turn, check, dests, last, outcome, opening };
}

export function forget(draft: Draft, id: number): void {
  const { [id]: _, ...pending } = draft.state.pending;
  draft.set({ pending });
}

export function leaveReview(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind === 'reviewing' && draft.isOpen) draft.effects.push({ type: 'send', request: { type: 'stop', id: mode.id } });
}

/** Adds a legal move and goes to it; in a game, the clock of the mover stops. */
export function makeMove(draft: Draft, from: NodeId, step: Step, facts: Facts | null): void {
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

export function clockCommand(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function isWorthKeeping({ tree }: State): boolean {
  return tree.nextId > 1 || tree.start !== 'usual';
}

/** Puts another game on the board. */
export function open(draft: Draft, action: Extract<Action, { type: 'open' }>): void {
  leaveReview(draft);
  if (isWorthKeeping(draft.state)) draft.snapshot(action.label);
  const at = action.at !== undefined && has(action.tree, action.at) ? action.at : ROOT;
  const tree = action.facts ? change(action.tree, at, { facts: plainFacts(action.facts) }) : action.tree;
  draft.stopSearch(false);
  draft.set({ tree, at, mode: { kind: 'analysing' }, pending: {}, threat: false, hint: null, pointed: [], about: null });
}
