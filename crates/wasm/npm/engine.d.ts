import type { Answer, ClockState, Lesson, Step } from './protocol.js';

export { Halcyon } from './index.js';
export type * from './protocol.js';

/** An answer of this type. */
export type AnswerOf<Type extends Answer['type']> = Extract<Answer, { type: Type }>;

/** Where a search begins. */
export interface Game {
  /** The start of a game without it. */
  fen?: string;
  /** Moves as UCI text or in algebraic notation. */
  moves?: string[];
}

export interface AnalyseOptions extends Game {
  /** How many best lines to find; 1 without it. */
  lines?: number;
  /** Whether to count what the search does. */
  statistics?: boolean;
  /** Whether to search as if the side to move had passed. */
  threat?: boolean;
  /** Limits. The search is looked at several times a second, so it may go a little further. */
  depth?: number;
  nodes?: number;
  time_ms?: number;
  /** Called with what is known so far. */
  onUpdate?: (search: AnswerOf<'search'>) => void;
}

export interface PlayOptions extends Game {
  /** The strength to play at; full strength without it. */
  elo?: number;
  clock?: ClockState;
  time_ms?: number;
  onUpdate?: (search: AnswerOf<'search'>) => void;
}

export interface ReviewOptions {
  pgn: string;
  /** Nodes for each position. */
  nodes?: number;
  /** Whether to say why each inaccuracy, mistake and blunder was one. */
  explain?: boolean;
  /** Whether to compare players that have a rating with the engine's level of that rating. */
  peers?: boolean;
  onUpdate?: (progress: AnswerOf<'progress'> | AnswerOf<'explaining'> | AnswerOf<'comparing'>) => void;
}

export interface ExplainOptions extends Game {
  /** UCI text or algebraic notation. */
  move: string;
  /** Nodes for each search. */
  nodes?: number;
}

/** The engine with promises. It does one search at a time: a new one ends the one before it. */
export declare class Engine {
  /** Starts an engine: in a worker unless there are none, or `worker` is false. */
  static start(options?: { worker?: boolean }): Promise<Engine>;
  private constructor();
  /** Searches until a limit is reached or `stop` is called. */
  analyse(options?: AnalyseOptions): Promise<AnswerOf<'search'>>;
  /** Chooses a move: by a clock, in a time, or at a strength. None if the game is over. */
  play(options?: PlayOptions): Promise<Step | null>;
  /** Judges every move of the first game of a PGN. */
  review(options: ReviewOptions): Promise<AnswerOf<'reviewed'>>;
  /** Says why a legal move is bad, or that it is not. */
  explain(options: ExplainOptions): Promise<Lesson>;
  /** What the rules say of a position: legal moves, check, the end of the game, the opening. */
  position(game?: Game): Promise<AnswerOf<'position'>>;
  /** Ends the search that is under way; its promise then has what was found. */
  stop(): void;
  /** Ends the engine. */
  close(): void;
}
