// What is asked and answered; `crates/board/src/protocol.rs` is the original.

export const PROTOCOL = 1;

export type Start = 'usual' | { chess960: number } | { fen: string };

export interface Place {
  start: Start;
  moves: string[];
}

export interface Step {
  uci: string;
  san: string;
  fen: string;
}

export interface Ending {
  result: '1-0' | '0-1' | '1/2-1/2';
  reason: string;
}

export interface Opening {
  eco: string;
  name: string;
}

export interface Facts {
  fen: string;
  start_fen: string;
  turn: 'white' | 'black';
  check: boolean;
  dests: Record<string, string[]>;
  last: Step | null;
  outcome: Ending | null;
  opening: Opening | null;
}

export type Score = { cp: number } | { mate: number };
export type Wdl = [number, number, number];

export interface Line {
  depth: number;
  score: Score;
  wdl: Wdl;
  moves: Step[];
  main_plies: number;
}

export type SearchState = 'waiting' | 'running' | 'done' | 'stopped' | 'idle';

export interface Search {
  state: SearchState;
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  hashfull: number;
  tablebase_hits: number;
  lines: Line[];
  hood: Hood | null;
}

type Counts = Record<string, number>;

/** What the search has counted. */
export interface Hood {
  running: boolean;
  time_ms: number;
  nodes_by_kind: Counts;
  table: Counts;
  cutoffs_by_stage: Counts;
  pruning_of_nodes: Counts;
  pruning_of_moves: Counts;
  first_move_share: number;
  iterations: { depth: number; nodes: number; time_ms: number; branching: number | null }[];
  clock: { soft_ms: number | null; wanted_ms: number | null; hard_ms: number | null };
  stop: string | null;
}

/** What is said above a game; empty where nobody knows. */
export interface Heading {
  number: number;
  white: string;
  black: string;
  event: string;
  date: string;
  result: string;
  plies: number;
}

/** A move of a game that was read: `parent` is the place of the move before it. */
export interface PaperMove extends Step {
  parent: number | null;
  nags: number[];
  comment: string;
}

export interface Paper {
  start_fen: string;
  chess960: number | null;
  headers: Record<string, string>;
  moves: PaperMove[];
  problems: string[];
}

export interface JudgedMove {
  loss: number;
  accuracy: number;
  judgement: 'inaccuracy' | 'mistake' | 'blunder' | null;
  best: string | null;
  score: Score | null;
  wdl: Wdl;
  depth: number;
}

export interface TreeNode {
  id: number;
  label: string;
  kind: string;
  depth: number;
  alpha: number | null;
  beta: number | null;
  static_score: number | null;
  result: number | null;
  end: string | null;
  skipped: { rule: string; san: string | null }[];
  children: number;
}

export interface SideReview {
  moves: number;
  accuracy: number | null;
  average_loss: number;
  average_centipawn_loss: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface Clock {
  remaining_ms: number;
  increment_ms: number;
}

export type Answer =
  | { type: 'hello'; protocol: number; engine: string; min_elo: number; max_elo: number }
  | ({ type: 'position'; id: number } & Facts)
  | ({ type: 'search'; id: number } & Search)
  | { type: 'best'; id: number; best: Step | null; book: boolean }
  | { type: 'games'; id: number; games: Heading[]; left_out: number }
  | ({ type: 'game'; id: number } & Paper)
  | { type: 'progress'; id: number; done: number; total: number; ply: number; score: Score; wdl: Wdl }
  | {
      type: 'reviewed';
      id: number;
      plies: JudgedMove[];
      white: SideReview;
      black: SideReview;
      pgn: string;
      game: Paper;
    }
  | { type: 'traced'; id: number; nodes: number; omitted: number; roots: TreeNode[] }
  | { type: 'unfolded'; id: number; children: TreeNode[] }
  | { type: 'error'; id: number | null; message: string };

/** What can be asked; a number goes with it and comes back with the answers. */
export type Request =
  | { type: 'position'; at: Place }
  | { type: 'games'; pgn: string }
  | { type: 'game'; pgn: string; number: number }
  | { type: 'trace'; at: Place; depth: number }
  | { type: 'unfold'; node: number }
  | { type: 'review'; pgn: string; nodes: number }
  | { type: 'analyse'; at: Place; lines: number; hood: boolean }
  | {
      type: 'turn';
      at: Place;
      elo?: number;
      clock?: Clock;
      move_time_ms?: number;
      hood: boolean;
    };

/** All that can be said. `stop` ends a search: an analysis or review stops, a turn is played. */
export type Words = (Request & { id: number }) | { type: 'stop' };
