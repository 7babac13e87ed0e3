// The state of the page. There is one, and `update.ts` has all its transitions.

import { knownResult } from './pgn';
import type { Ending, Judgement, Lesson, Resources, Search, Side, Start, Step } from './protocol';
import { DEFAULTS, type Color, type Settings } from './settings';
import type { Link } from './transport';
import { mainEnd, mainLine, newTree, nodeOf, ROOT, type GameNode, type NodeId, type Tree } from './tree';

export interface GameSetup {
  start: Start;
  color: Color;
  /** 0 is full strength. */
  elo: number;
  /** 0 is no clock. */
  minutes: number;
  increment: number;
  /** Whether the engine resigns lost games and offers draws in dead ones. */
  yields?: boolean;
}

/** A game against the engine. */
export interface Game {
  /** The side of the user; none if the engine plays both. */
  color: Side | null;
  setup: GameSetup;
  hasClock: boolean;
  /** Time left, in milliseconds, without what has passed since `running.since`. */
  left: Record<Side, number>;
  running: { side: Side; since: number } | null;
  /** Whether the engine's last move was from its book. */
  fromBook: boolean;
  /** The engine's last score for White in centipawns, for draw offers. */
  score: number | null;
  /** Moves in a row that the engine was lost, and that nothing was going on, as it saw it. */
  lost?: number;
  dead?: number;
}

export interface Analysing {
  kind: 'analysing';
}

export interface Playing {
  kind: 'playing';
  game: Game;
  /** The request for the engine's move, if it was sent. */
  thinking: { id: number; since: number } | null;
}

export interface Over {
  kind: 'over';
  game: Game;
  ending: Ending;
}

/** A position of a game in which a mistake was made. */
export interface Exercise {
  /** The same for the same position of any game. */
  key: string;
  /** The position before it and the move that led to it, if the game has one. */
  before: { fen: string; move: Step } | null;
  fen: string;
  side: Side;
  played: Step;
  judgement: Judgement;
  lesson: Lesson;
  /** The players, and the opening if it is known. */
  game: string;
  opening: string;
}

/** How an exercise went: solved at once, with a hint or a second try, or not. */
export type Grade = 'good' | 'hard' | 'again';

/** Exercises from one's own games, one after the other. */
export interface Training {
  kind: 'training';
  exercises: readonly Exercise[];
  index: number;
  /** The node of the position to solve. */
  position: NodeId;
  /** `checking` is a move that the engine has to judge; `shown` is given up; `ended` is the summary. */
  stage: 'solving' | 'checking' | 'wrong' | 'right' | 'shown' | 'ended';
  /** The request that judges the last try. */
  asked: number | null;
  /** What is said about the last try. */
  answer: Lesson | null;
  tried: Step | null;
  tries: number;
  hinted: boolean;
  /** How the exercises so far went. */
  results: readonly Grade[];
  /** The board as it was. */
  back: Kept;
}

export interface Reviewing {
  kind: 'reviewing';
  id: number;
  /** The root and the main line when the review began. */
  line: NodeId[];
  done: number;
  total: number;
  /** Positions are searched, mistakes explained, players compared with levels. */
  stage: 'positions' | 'mistakes' | 'levels';
  /** What comes after it. */
  back: Analysing | Over;
}

export type Mode = Analysing | Playing | Over | Reviewing | Training;

/** The search that the page shows. Answers with another id are dropped. */
export interface LiveSearch {
  id: number;
  node: NodeId;
  purpose: 'analysis' | 'move' | 'hint';
  threat: boolean;
  lines: number;
  statistics: boolean;
  resources: Resources | null;
  /** Whether it has ended or was asked to end. */
  stopped: boolean;
  view: Search | null;
  /** Whether the view is that of the search before it, of the same position. */
  isCarried: boolean;
}

/** A question whose answer changes the state. */
export type Pending =
  | { kind: 'facts'; node: NodeId; failed: boolean }
  /** A move, and those that the user has made since: they wait for it. */
  | { kind: 'play'; from: NodeId; text: string; next: readonly string[] };

/** What an undo brings back. */
export interface Snapshot {
  label: string;
  tree: Tree;
  at: NodeId;
  orientation: Side;
  mode: Analysing | Playing | Over;
}

/** A position of a recorded search, on the board instead of that of the game. */
export interface Peek {
  fen: string;
  /** The move that led to it; none at the root and after a null move. */
  step: Step | null;
  /** Where it is in the recorded search. */
  way: string;
}

export interface State {
  tree: Tree;
  at: NodeId;
  orientation: Side;
  mode: Mode;
  search: LiveSearch | null;
  /** Whether the opponent's threat is shown instead of the best lines. */
  threat: boolean;
  /** The position that the user wants a hint for. */
  hint: NodeId | null;
  /** The move that a question is about which the engine is busy with: no analysis meanwhile. */
  asking: NodeId | null;
  /** The move that is explained while the line of one of its sentences is looked at. */
  about: { node: NodeId; line: readonly NodeId[] } | null;
  /** Moves that are pointed at: arrows on the board until it shows something else. */
  pointed: readonly Step[];
  peek: Peek | null;
  settings: Settings;
  link: { state: Link; reason: string };
  limits: { minElo: number; maxElo: number; engine: string; usual: Resources; most: Resources; book: boolean };
  pending: Readonly<Record<number, Pending>>;
  nextId: number;
  undo: Snapshot | null;
}

export function initialState(settings: Settings = DEFAULTS): State {
  return {
    tree: newTree(),
    at: ROOT,
    orientation: 'white',
    mode: { kind: 'analysing' },
    search: null,
    threat: false,
    hint: null,
    asking: null,
    about: null,
    pointed: [],
    peek: null,
    settings,
    link: { state: 'connecting', reason: 'Connecting' },
    limits: { minElo: 500, maxElo: 3200, engine: 'Halcyon', usual: { threads: 1, hash: 64 }, most: { threads: 1, hash: 64 }, book: false },
    pending: {},
    nextId: 1,
    undo: null,
  };
}

export type Phase = 'empty' | 'analysing' | 'user' | 'engine' | 'over' | 'reviewing' | 'training';

/** Which of its states the page is in. */
export function phase(state: State): Phase {
  const { mode, tree } = state;
  switch (mode.kind) {
    case 'analysing':
      return tree.nextId === 1 && tree.start === 'usual' ? 'empty' : 'analysing';
    case 'playing':
      return sideToMove(tree, mainEnd(tree)) === mode.game.color ? 'user' : 'engine';
    default:
      return mode.kind;
  }
}

/** Who is to move at a node. */
export function sideToMove(tree: Tree, id: NodeId): Side {
  return nodeOf(tree, id).fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function other(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

/** The game against the engine, running or over. */
export function gameOf(state: State): Game | null {
  const { mode } = state;
  if (mode.kind === 'playing' || mode.kind === 'over') return mode.game;
  return mode.kind === 'reviewing' && mode.back.kind === 'over' ? mode.back.game : null;
}

export function endingOf(state: State): Ending | null {
  const { mode } = state;
  if (mode.kind === 'over') return mode.ending;
  return mode.kind === 'reviewing' && mode.back.kind === 'over' ? mode.back.ending : null;
}

/** The node on the board. */
export function here(state: State): GameNode {
  return nodeOf(state.tree, state.at);
}

/** The move that the user has made on the board and the server has not confirmed yet, with its request. */
export function waitingMoves({ pending }: State): [number, Extract<Pending, { kind: 'play' }>] | null {
  for (const [id, one] of Object.entries(pending)) if (one.kind === 'play') return [Number(id), one];
  return null;
}

/** The placement and the rest of what is on the board. */
export function shownFen(state: State): string {
  return state.peek?.fen ?? here(state).fen;
}

/** The search whose lines may be shown: that of the position on the board, and none in a game. */
export function shownSearch(state: State): LiveSearch | null {
  const { search, at, mode, peek } = state;
  const isHidden = mode.kind === 'playing' || mode.kind === 'training' || peek !== null;
  return search && search.node === at && search.purpose === 'analysis' && !isHidden ? search : null;
}

/** Time left of a side, in milliseconds. */
export function timeLeft(game: Game, side: Side, now: number): number {
  const spent = game.running?.side === side ? now - game.running.since : 0;
  return Math.max(0, game.left[side] - spent);
}

export function levelName(elo: number): string {
  return elo === 0 ? 'Halcyon' : `Halcyon ${elo}`;
}

/** How the game on the board has ended, or `*`. */
export function resultOf(state: State): string {
  const { mode, tree } = state;
  if (mode.kind === 'playing') return '*';
  const ending = endingOf(state) ?? nodeOf(tree, mainEnd(tree)).facts?.outcome;
  return knownResult(ending?.result ?? tree.headers['Result']);
}

/** A mode as it can be kept: no clock runs, nothing is asked. */
export function frozen(mode: Mode, now: number): Analysing | Playing | Over {
  if (mode.kind === 'reviewing') return mode.back;
  if (mode.kind === 'training') return mode.back.mode;
  if (mode.kind !== 'playing') return mode;
  const { game } = mode;
  const left = { white: timeLeft(game, 'white', now), black: timeLeft(game, 'black', now) };
  return { kind: 'playing', game: { ...game, left, running: null }, thinking: null };
}

/** What is kept of a state from visit to visit. */
export type Kept = Pick<Snapshot, 'tree' | 'at' | 'orientation' | 'mode'>;

export function kept(state: State, now: number): Kept {
  const { tree, at, orientation, mode } = underlying(state, now);
  const nodes = Object.fromEntries(Object.values(tree.nodes).map((node) => [node.id, { ...node, facts: null }]));
  return { tree: { ...tree, nodes }, at, orientation, mode };
}

/** The board itself: in a training, the one that waits behind it. */
export function underlying(state: State, now: number): Kept {
  const { tree, at, orientation, mode } = state;
  return mode.kind === 'training' ? mode.back : { tree, at, orientation, mode: frozen(mode, now) };
}

/** The threads and the table that the user wants, if they are not those of the server anyway. */
export function resourcesOf({ settings, limits, search }: State): Resources | null {
  const { usual, most } = limits;
  const threads = Math.min(settings.threads || usual.threads, most.threads);
  const hash = Math.min(settings.hash || usual.hash, most.hash);
  // A wish that was fulfilled has to be taken back explicitly.
  return settings.threads || settings.hash || search?.resources ? { threads, hash } : null;
}

/** Whether taking back is possible: there is an own move, and time has not run out. */
export function canTakeBack(state: State): boolean {
  const { mode, tree } = state;
  if (mode.kind !== 'playing' && mode.kind !== 'over') return false;
  const { game } = mode;
  if (game.hasClock && (game.left.white <= 0 || game.left.black <= 0)) return false;
  return mainLine(tree).some((id) => other(sideToMove(tree, id)) === game.color);
}
