// Generated from crates/board/src/protocol.rs by its test, which fails when this file differs:
// HALCYON_WRITE=1 cargo test -p board protocol

export const PROTOCOL = 2;

export type Start = "usual" | { "chess960": number } | { "fen": string };

export type GameState = {
  /** Where the game began. */
  start: Start,
  /** Moves as UCI text or in algebraic notation. */
  moves: Array<string>,
};

export type ClockState = {
  /** Time left, in milliseconds. */
  remaining_ms: number,
  /** Added after each move, in milliseconds. */
  increment_ms: number,
};

export type Resources = {
  /** Threads that search at once. */
  threads: number,
  /** The transposition table, in MiB. */
  hash: number,
};

export type Request = { "type": "position",
  /** Comes back with the answer. */
  id: number,
  /** The game up to the position. */
  at: GameState,
}
  | { "type": "analyse",
  /** Comes back with the answers. */
  id: number,
  /** The game up to the position. */
  at: GameState,
  /** How many best lines to find. */
  lines: number,
  /** Whether to count what the search does. */
  statistics: boolean,
  /** Whether to search as if the side to move had passed: what does the opponent threaten? */
  threat: boolean,
  /** Threads and table of the search; as they are without it. */
  resources?: Resources,
}
  | { "type": "play_move",
  /** Comes back with the answers. */
  id: number,
  /** The game up to the position. */
  at: GameState,
  /** The strength to play at; full strength without it. */
  elo?: number,
  /** The clock of the side to move. */
  clock?: ClockState,
  /** Time for the move where there is no clock. */
  move_time_ms?: number,
  /** Whether to count what the search does. */
  statistics: boolean,
  /** Threads and table of the search; as they are without it. */
  resources?: Resources,
}
  | { "type": "book",
  /** Comes back with the answer. */
  id: number,
  /** The game up to the position. */
  at: GameState,
  /** What a book that the page has opened knows here: moves and weights as Polyglot writes them. They are read instead of the server's book. */
  records?: Array<[number, number]>,
}
  | { "type": "games",
  /** Comes back with the answer. */
  id: number,
  /** PGN, or moves as UCI text. */
  pgn: string,
}
  | { "type": "game",
  /** Comes back with the answer. */
  id: number,
  /** PGN, or moves as UCI text. */
  pgn: string,
  /** Which of its games, counted from 1. */
  number: number,
}
  | { "type": "review",
  /** Comes back with the answers. */
  id: number,
  /** PGN; its first game is reviewed. */
  pgn: string,
  /** Nodes for each position. */
  nodes: number,
  /** Whether to say why each inaccuracy, mistake and blunder was one. */
  explain: boolean,
  /** Whether to compare players that have a rating with the engine's level of that rating. */
  peers: boolean,
  /** Threads and table of the search; as they are without it. */
  resources?: Resources,
}
  | { "type": "explain",
  /** Comes back with the answer. */
  id: number,
  /** The game up to the position before the move. */
  at: GameState,
  /** The move, as UCI text or in algebraic notation. */
  mv: string,
  /** Nodes for each search. */
  nodes: number,
}
  | { "type": "trace",
  /** Comes back with the answer. */
  id: number,
  /** The game up to the position. */
  at: GameState,
  /** How many plies to search. */
  depth: number,
  /** Rules that may prune nothing, by name. */
  without: Array<string>,
}
  | { "type": "why_not",
  /** Comes back with the answer. */
  id: number,
  /** The move, as UCI text or in algebraic notation. */
  mv: string,
}
  | { "type": "unfold",
  /** Comes back with the answer. */
  id: number,
  /** The number of the node. */
  node: number,
}
  | { "type": "stop",
  /** The `id` of the request that started the search. */
  id: number,
};

export type Side = "white" | "black";

export type Step = {
  /** As UCI text; castling is king takes rook. */
  uci: string,
  /** The move in algebraic notation. */
  san: string,
  /** The position after it. */
  fen: string,
};

export type BookMove = {
  /** How often to play it, beside the others. */
  weight: number,
  /** As UCI text; castling is king takes rook. */
  uci: string,
  /** The move in algebraic notation. */
  san: string,
  /** The position after it. */
  fen: string,
};

export type Ending = {
  /** `1-0`, `0-1` or `1/2-1/2`. */
  result: '1-0' | '0-1' | '1/2-1/2',
  /** The reason in words. */
  reason: string,
};

export type Opening = {
  /** Its code in the Encyclopaedia of Chess Openings. */
  eco: string,
  /** Its name in English. */
  name: string,
};

export type Facts = {
  /** The position as FEN. */
  fen: string,
  /** Where the game began. */
  start_fen: string,
  /** Who is to move: `white` or `black`. */
  turn: Side,
  /** Whether the king is in check. */
  check: boolean,
  /** From where to where the pieces can move. A king that can castle goes onto its rook, and in standard chess to its new square as well. */
  dests: { [key in string]: Array<string> },
  /** The last move of the game. */
  last: Step | null,
  /** How the game has ended. */
  outcome: Ending | null,
  /** The name of the opening. */
  opening: Opening | null,
};

export type Score = { "cp": number } | { "mate": number };

export type Line = {
  /** The iteration that found it. */
  depth: number,
  /** The score for White. */
  score: Score,
  /** White's chances to win, to draw and to lose, in thousandths. */
  wdl: [number, number, number],
  /** Its moves with the positions after them. */
  moves: Array<Step>,
  /** How many of the moves the main search found; the rest is quiescence. */
  main_plies: number,
};

export type SearchState = "waiting" | "running" | "done" | "stopped" | "idle";

export type Iteration = { depth: number, nodes: number, time_ms: number, branching: number | null,
};

export type TimePlan = { soft_ms: number | null, wanted_ms: number | null, hard_ms: number | null,
};

export type Statistics = { running: boolean, time_ms: number, nodes_by_kind: { [key in string]: number }, transposition_table: { [key in string]: number }, cutoffs_by_stage: { [key in string]: number }, pruning_of_nodes: { [key in string]: number }, pruning_of_moves: { [key in string]: number }, first_move_share: number, iterations: Array<Iteration>, clock: TimePlan, stop: string | null,
};

export type Search = {
  /** What it is doing. */
  state: SearchState,
  /** The last finished iteration. */
  depth: number,
  /** The deepest ply that was searched. */
  seldepth: number,
  /** Nodes searched so far. */
  nodes: number,
  /** Nodes searched per second so far. */
  nps: number,
  /** Time spent searching, without waiting. */
  time_ms: number,
  /** Thousandths of the transposition table that are in use. */
  hashfull: number,
  /** Positions found in tablebases. */
  tablebase_hits: number,
  /** The best lines, best first. */
  lines: Array<Line>,
  /** What it has counted, if it counts. */
  statistics: Statistics | null,
};

export type GameSummary = {
  /** Its number in the text, counted from 1. */
  number: number,
  /** Who played White; empty if unknown. */
  white: string,
  /** Who played Black; empty if unknown. */
  black: string,
  /** Where it was played; empty if unknown. */
  event: string,
  /** The date as PGN writes it; empty if unknown. */
  date: string,
  /** `1-0`, `0-1`, `1/2-1/2` or `*`. */
  result: '1-0' | '0-1' | '1/2-1/2' | '*',
  /** How many half-moves it has. */
  plies: number,
};

export type PgnMove = {
  /** The index of the move before it in the list; none for the first moves. */
  parent: number | null,
  /** Glyphs by number, such as 1 for `!`. */
  nags: Array<number>,
  /** The comment before the move, at the beginning of a variation. */
  comment_before: string,
  /** The comment after the move. */
  comment: string,
  /** As UCI text; castling is king takes rook. */
  uci: string,
  /** The move in algebraic notation. */
  san: string,
  /** The position after it. */
  fen: string,
};

export type PgnGame = {
  /** Where it began, as FEN. */
  start_fen: string,
  /** The number of the Chess960 position it began with, if it is not that of chess. */
  chess960: number | null,
  /** Its tags by name. */
  headers: { [key in string]: string },
  /** The comment before the first move. */
  comment: string,
  /** Its moves with all variations, each after the one before it. */
  moves: Array<PgnMove>,
  /** What was wrong with the text. */
  problems: Array<string>,
};

export type Judgement = "inaccuracy" | "mistake" | "blunder";

export type MotifName = {
  /** Its stable name, such as `fork` or `backRankMate`. */
  name: string,
  /** As it stands in a sentence, such as `a fork`. */
  words: string,
};

export type Clause = {
  /** The sentence, in English. */
  text: string,
  /** Where the line begins. */
  fen: string,
  /** The moves that prove it. */
  line: Array<Step>,
  /** The index of the move in the line that makes the point. */
  point: number,
  /** Whether the line begins after a pass, so that it is no line of the game. */
  passed: boolean,
};

export type Difficulty = {
  /** The depth from which on the search prefers it. */
  depth: number,
  /** The nodes until then. */
  nodes: number,
  /** An estimate of the rating of people who see it half of the time. */
  rating: number,
};

export type LevelChoice = {
  /** The Elo of the level. */
  elo: number,
  /** Its moves, one for each try, in algebraic notation. */
  moves: Array<string>,
  /** Whether most tries chose a good move. */
  finds: boolean,
};

export type Levels = {
  /** The levels that were asked, the weakest first. */
  asked: Array<LevelChoice>,
  /** The weakest level that finds a good move; none if the strongest that was asked does not. */
  finds: number | null,
};

export type Lesson = {
  /** Why it was bad, or that it was not, in sentences that searches have confirmed. */
  clauses: Array<Clause>,
  /** The chance to win that it gave away, from 0 to 1. */
  loss: number,
  /** The moves that were good instead, the best one first; three or four at most. */
  good: Array<Step>,
  /** The best line, from the position before the move. */
  best: Array<Step>,
  /** What the sentences are about. */
  motifs: Array<MotifName>,
  /** The phase of the game. */
  phase: 'opening' | 'middlegame' | 'endgame',
  /** How hard the good moves are to see. */
  difficulty: Difficulty,
  /** Which strength levels find a good move. */
  levels: Levels,
  /** The last depth at which the search preferred the move itself; none if it never did. */
  tempting: number | null,
};

export type JudgedMove = {
  /** The chance to win that it gave away, from 0 to 1. */
  loss: number,
  /** From 0 to 100. */
  accuracy: number,
  /** What it is called, if it gave something away. */
  judgement: Judgement | null,
  /** The best line instead of it, the best move first; empty if the game was over. */
  best: Array<Step>,
  /** The score after it; none if the game is over. */
  score: Score | null,
  /** White's chances after it. */
  wdl: [number, number, number],
  /** How deep the position after it was searched. */
  depth: number,
  /** Why it was bad, if that was asked for and it gave something away. */
  lesson: Lesson | null,
};

export type SideReview = { moves: number, accuracy: number | null, average_loss: number, average_centipawn_loss: number, inaccuracies: number, mistakes: number, blunders: number,
};

export type PeerReview = {
  /** The Elo of the level: the nearest there is to the rating of the player. */
  elo: number,
  /** How many positions were compared. */
  positions: number,
  /** The accuracy of the player there, from 0 to 100. */
  own: number,
  /** The accuracy of the level. */
  level: number,
};

export type Skipped = {
  /** The rule that pruned it. */
  rule: string,
  /** The move in algebraic notation, if it is legal. */
  san: string | null,
};

export type TreeNode = {
  /** Its number, to unfold it by. */
  id: number,
  /** How the search came to it: a move, `null move`, `re-search` or `without` a move. */
  label: string,
  /** The kind of node, such as `pv` or `quiescence`. */
  kind: string,
  /** The position of the node. */
  fen: string,
  /** The move that led to it as UCI text; none at a root or after a null move. */
  uci: string | null,
  /** Plies to search; negative in quiescence. */
  depth: number,
  /** Scores at or below this did not matter. */
  alpha: number | null,
  /** A score at or above this was enough. */
  beta: number | null,
  /** The static score, if it was computed. */
  static_score: number | null,
  /** The score; none if the search was stopped inside. */
  result: number | null,
  /** The rule that ended it; none if all its moves were searched. */
  end: string | null,
  /** The moves that were pruned here. */
  skipped: Array<Skipped>,
  /** How many children it has. */
  children: number,
};

export type LeftOutAt = {
  /** The node that had the move. */
  node: TreeNode,
  /** How the search came to it: moves, `null move` and so on from the root. */
  way: Array<string>,
  /** The moves of the way; none if there is something else among them. */
  steps: Array<Step> | null,
  /** The move in algebraic notation. */
  san: string,
  /** The rule; none if a move before it was good enough, or only captures were searched. */
  rule: string | null,
  /** Whether the search can be repeated without the rule. */
  switchable: boolean,
};

export type MoveReport = {
  /** At how many nodes it was searched. */
  searched: number,
  /** At how many nodes a rule left it out. */
  pruned: number,
  /** The node nearest to the root at which it was left out. */
  nearest: LeftOutAt | null,
};

export type Answer = { "type": "hello",
  /** The version of the protocol. */
  protocol: number,
  /** The program and its version. */
  engine: string,
  /** The weakest level that can be asked for. */
  min_elo: number,
  /** The strongest level below full strength. */
  max_elo: number,
  /** What a search uses unless a page asks for something else. */
  usual: Resources,
  /** What a page may ask for. */
  most: Resources,
  /** Whether there is an opening book. */
  book: boolean,
}
  | { "type": "position",
  /** The `id` of the request that this answers. */
  id: number,
  /** The position as FEN. */
  fen: string,
  /** Where the game began. */
  start_fen: string,
  /** Who is to move: `white` or `black`. */
  turn: Side,
  /** Whether the king is in check. */
  check: boolean,
  /** From where to where the pieces can move. A king that can castle goes onto its rook, and in standard chess to its new square as well. */
  dests: { [key in string]: Array<string> },
  /** The last move of the game. */
  last: Step | null,
  /** How the game has ended. */
  outcome: Ending | null,
  /** The name of the opening. */
  opening: Opening | null,
}
  | { "type": "search",
  /** The `id` of the request that this answers. */
  id: number,
  /** What it is doing. */
  state: SearchState,
  /** The last finished iteration. */
  depth: number,
  /** The deepest ply that was searched. */
  seldepth: number,
  /** Nodes searched so far. */
  nodes: number,
  /** Nodes searched per second so far. */
  nps: number,
  /** Time spent searching, without waiting. */
  time_ms: number,
  /** Thousandths of the transposition table that are in use. */
  hashfull: number,
  /** Positions found in tablebases. */
  tablebase_hits: number,
  /** The best lines, best first. */
  lines: Array<Line>,
  /** What it has counted, if it counts. */
  statistics: Statistics | null,
}
  | { "type": "best",
  /** The `id` of the request that this answers. */
  id: number,
  /** The move; none if the game is over. */
  best: Step | null,
  /** Whether it came from the opening book, so that nothing was searched. */
  book: boolean,
}
  | { "type": "book",
  /** The `id` of the request that this answers. */
  id: number,
  /** The moves, the heaviest first. */
  moves: Array<BookMove>,
  /** The key of the position in Polyglot's books: sixteen hexadecimal digits. */
  key: string,
}
  | { "type": "games",
  /** The `id` of the request that this answers. */
  id: number,
  /** The games that can be read, in their order. */
  games: Array<GameSummary>,
  /** How many more there are. */
  left_out: number,
}
  | { "type": "game",
  /** The `id` of the request that this answers. */
  id: number,
  /** Where it began, as FEN. */
  start_fen: string,
  /** The number of the Chess960 position it began with, if it is not that of chess. */
  chess960: number | null,
  /** Its tags by name. */
  headers: { [key in string]: string },
  /** The comment before the first move. */
  comment: string,
  /** Its moves with all variations, each after the one before it. */
  moves: Array<PgnMove>,
  /** What was wrong with the text. */
  problems: Array<string>,
}
  | { "type": "progress",
  /** The `id` of the request that this answers. */
  id: number,
  /** Positions that are done. */
  done: number,
  /** All positions: one more than moves. */
  total: number,
  /** The position: half-moves from the start of the game. */
  ply: number,
  /** Its score for White. */
  score: Score,
  /** White's chances to win, to draw and to lose, in thousandths. */
  wdl: [number, number, number],
  /** How deep it was searched. */
  depth: number,
}
  | { "type": "explaining",
  /** The `id` of the request that this answers. */
  id: number,
  /** Moves that are explained. */
  done: number,
  /** All moves to explain. */
  total: number,
}
  | { "type": "comparing",
  /** The `id` of the request that this answers. */
  id: number,
  /** Positions that are done. */
  done: number,
  /** All positions to compare. */
  total: number,
}
  | { "type": "explained",
  /** The `id` of the request that this answers. */
  id: number,
  /** What the move teaches, with its proof. */
  lesson: Lesson,
}
  | { "type": "reviewed",
  /** The `id` of the request that this answers. */
  id: number,
  /** One entry for each move of the main line. */
  plies: Array<JudgedMove>,
  /** How well White played. */
  white: SideReview,
  /** How well Black played. */
  black: SideReview,
  /** White beside the level of the same rating; none without a rating, or if not asked for. */
  white_peer: PeerReview | null,
  /** Black beside the level of the same rating. */
  black_peer: PeerReview | null,
}
  | { "type": "traced",
  /** The `id` of the request that this answers. */
  id: number,
  /** Nodes that can be unfolded. */
  nodes: number,
  /** Nodes that there was no room for. */
  omitted: number,
  /** The root, once for each window it was searched with. */
  roots: Array<TreeNode>,
  /** The best line; none without a legal move. */
  best: Line | null,
  /** Nodes that were searched in all iterations. */
  searched: number,
}
  | { "type": "left_out",
  /** The `id` of the request that this answers. */
  id: number,
  /** At how many nodes it was searched. */
  searched: number,
  /** At how many nodes a rule left it out. */
  pruned: number,
  /** The node nearest to the root at which it was left out. */
  nearest: LeftOutAt | null,
}
  | { "type": "unfolded",
  /** The `id` of the request that this answers. */
  id: number,
  /** The nodes below it. */
  children: Array<TreeNode>,
}
  | { "type": "error",
  /** From the request, if it could be read. */
  id: number | null,
  /** What was wrong, for people. */
  message: string,
};
