// A server for the tests, with the rules of another program (chessops).

import { Chess, normalizeMove } from 'chessops/chess';
import { defaultSetup, opposite } from 'chessops';
import { chessgroundDests } from 'chessops/compat';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';
import { parsePgn, startingPosition } from 'chessops/pgn';
import type { Answer, Ending, Facts, GameState, JudgedMove, Lesson, Line, PgnGame, PgnMove, Request, Start, Step } from '../src/protocol';
import { USUAL } from '../src/tree';

export function positionOf(fen: string): Chess {
  return Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
}

/** Plays a move, given as UCI text or in algebraic notation; nothing if it is not legal. */
export function stepOf(fen: string, text: string): Step | null {
  const position = positionOf(fen);
  if (['--', 'Z0', '0000'].includes(text)) {
    if (position.isCheck() || position.isEnd()) return null;
    if (position.turn === 'black') position.fullmoves++;
    position.turn = opposite(position.turn);
    position.epSquare = undefined;
    return { uci: '0000', san: '--', fen: makeFen(position.toSetup()) };
  }
  const uci = parseUci(text);
  const move = uci && position.isLegal(normalizeMove(position, uci)) ? uci : parseSan(position, text);
  if (!move || !position.isLegal(move)) return null;
  const normal = normalizeMove(position, move);
  const san = makeSanAndPlay(position, normal);
  return { uci: makeUci(normal), san, fen: makeFen(position.toSetup()) };
}

const known = new Map<string, Step[]>();

/** The legal moves of a position, in a fixed order. */
export function stepsOf(fen: string): Step[] {
  const cached = known.get(fen);
  if (cached) return cached;
  const position = positionOf(fen);
  const steps: Step[] = [];
  if (!position.isEnd()) {
    for (const [from, dests] of position.allDests()) {
      for (const to of dests) {
        const pawn = position.board.pawn.has(from);
        const promotes = pawn && (to >= 56 || to < 8);
        const step = stepOf(fen, makeUci({ from, to, ...(promotes ? { promotion: 'queen' as const } : {}) }));
        if (step) steps.push(step);
      }
    }
  }
  const unique = steps.filter((step, index) => steps.findIndex((one) => one.uci === step.uci) === index);
  unique.sort((one, two) => (one.uci < two.uci ? -1 : 1));
  if (known.size > 50_000) known.clear();
  known.set(fen, unique);
  return unique;
}

export function fenOfStart(start: Start): string {
  if (start === 'usual') return USUAL;
  if ('fen' in start) return start.fen;
  return makeFen(defaultSetup());
}

function ending(position: Chess): Ending | null {
  if (!position.isEnd()) return null;
  const winner = position.outcome()?.winner;
  if (winner) return { result: winner === 'white' ? '1-0' : '0-1', reason: 'checkmate' };
  return { result: '1/2-1/2', reason: position.isStalemate() ? 'stalemate' : 'insufficient material' };
}

export function factsOf(state: GameState): Facts | string {
  let fen = fenOfStart(state.start);
  const start_fen = fen;
  let last: Step | null = null;
  for (const text of state.moves) {
    last = stepOf(fen, text);
    if (!last) return `“${text}” is not a legal move here`;
    fen = last.fen;
  }
  const position = positionOf(fen);
  const outcome = ending(position);
  const dests = outcome ? {} : Object.fromEntries([...chessgroundDests(position)].map(([from, to]) => [from, [...to]]));
  return { fen, start_fen, turn: position.turn, check: position.isCheck(), dests, last, outcome, opening: null };
}

/** Reads PGN as another program does. */
export function readPgn(text: string): PgnGame {
  const game = parsePgn(text)[0];
  if (!game) throw new Error(`no game in ${text}`);
  const start = startingPosition(game.headers).unwrap();
  const start_fen = makeFen(start.toSetup());
  const moves: PgnMove[] = [];
  type Child = (typeof game.moves.children)[number];
  const walk = (children: readonly Child[], fen: string, parent: number | null) => {
    for (const child of children) {
      const step = stepOf(fen, child.data.san);
      if (!step) throw new Error(`${child.data.san} in ${fen} of ${text}`);
      const { nags = [], comments = [], startingComments = [] } = child.data;
      moves.push({ ...step, parent, nags, comment: comments.join(' '), comment_before: startingComments.join(' ') });
      walk(child.children, step.fen, moves.length - 1);
    }
  };
  walk(game.moves.children, start_fen, null);
  const hidden = ['FEN', 'SetUp', 'Variant'];
  const headers = Object.fromEntries([...game.headers].filter(([name]) => !hidden.includes(name)));
  return { start_fen, chess960: null, headers, comment: (game.comments ?? []).join(' '), moves, problems: [] };
}

/** A lesson about a move, as far as the state needs one. */
export function lessonOf(fen: string, played: Step, best: Step): Lesson {
  const clause = { text: `${best.san} was better.`, fen, line: [best], point: 0, passed: false };
  const difficulty = { depth: 3, nodes: 100, rating: 1200 };
  const levels = { asked: [{ elo: 1200, moves: [best.san, best.san], finds: true }], finds: 1200 };
  return {
    clauses: [clause],
    loss: played.uci === best.uci ? 0 : 0.2,
    good: [best],
    best: [best],
    motifs: [{ name: 'fork', words: 'a fork' }],
    phase: 'opening',
    difficulty,
    levels,
    tempting: null,
  };
}

/** Answers requests; what it has answered can be delivered late, twice or in another order. */
export class FakeServer {
  private search: { id: number; review: boolean } | null = null;

  constructor(private readonly random: () => number) {}

  /** The answers to a request. */
  receive(request: Request): Answer[] {
    switch (request.type) {
      case 'position': {
        const facts = factsOf(request.at);
        return [
          typeof facts === 'string' ? { type: 'error', id: request.id, message: facts } : { type: 'position', id: request.id, ...facts },
        ];
      }
      case 'analyse': {
        this.search = { id: request.id, review: false };
        const fen = this.fenAt(request.at, request.threat);
        if (fen === null) return [{ type: 'error', id: request.id, message: 'no threat in check' }];
        return [this.progress(request.id, fen, 1 + Math.floor(this.random() * 20), 'running', request.lines)];
      }
      case 'play_move': {
        this.search = { id: request.id, review: false };
        const fen = this.fenAt(request.at, false) ?? USUAL;
        const steps = stepsOf(fen);
        const best = steps[Math.floor(this.random() * Math.min(3, steps.length))] ?? null;
        return [this.progress(request.id, fen, 5, 'done', 1), { type: 'best', id: request.id, best, book: this.random() < 0.2 }];
      }
      case 'review': {
        this.search = { id: request.id, review: true };
        return this.review(request.id, request.pgn);
      }
      case 'explain': {
        this.search = null;
        const facts = factsOf(request.at);
        if (typeof facts === 'string') throw new Error(facts);
        const played = stepOf(facts.fen, request.mv);
        const best = stepsOf(facts.fen)[0];
        if (!played || !best) return [{ type: 'error', id: request.id, message: 'not a legal move' }];
        return [{ type: 'explained', id: request.id, lesson: lessonOf(facts.fen, played, best) }];
      }
      case 'stop':
        if (this.search?.id !== request.id || this.search.review) return [];
        return [this.progress(request.id, USUAL, 1, 'stopped', 0)];
      default:
        return [];
    }
  }

  private fenAt(at: GameState, threat: boolean): string | null {
    const facts = factsOf(at);
    if (typeof facts === 'string') throw new Error(facts);
    if (!threat) return facts.fen;
    if (facts.check) return null;
    const [board, side, rights, , half, full] = facts.fen.split(' ');
    return [board, side === 'w' ? 'b' : 'w', rights, '-', half, full].join(' ');
  }

  private progress(id: number, fen: string, depth: number, state: 'running' | 'done' | 'stopped', count: number): Answer {
    const lines: Line[] = stepsOf(fen)
      .slice(0, count)
      .map((first) => {
        const reply = stepsOf(first.fen)[0];
        return {
          depth,
          score: { cp: Math.round(this.random() * 200 - 100) },
          wdl: [300, 400, 300],
          moves: reply ? [first, reply] : [first],
          main_plies: 1,
        };
      });
    return {
      type: 'search',
      id,
      state,
      depth,
      seldepth: depth,
      nodes: 1000,
      nps: 1000,
      time_ms: 1000,
      hashfull: 1,
      tablebase_hits: 0,
      lines,
      statistics: null,
    };
  }

  private review(id: number, pgn: string): Answer[] {
    const game = readPgn(pgn);
    const fens = [game.start_fen];
    const main: PgnMove[] = [];
    for (let parent: number | null = null; ; ) {
      const next = game.moves.findIndex((move) => move.parent === parent);
      const move = game.moves[next];
      if (!move) break;
      main.push(move);
      fens.push(move.fen);
      parent = next;
    }
    const total = fens.length;
    const wdl: [number, number, number] = [300, 400, 300];
    const progress = fens.map((_, ply): Answer => ({ type: 'progress', id, done: ply + 1, total, ply, score: { cp: ply }, wdl, depth: 9 }));
    const judgements = [null, 'inaccuracy', 'mistake', 'blunder'] as const;
    const plies = main.map((move, index): JudgedMove => {
      const steps = stepsOf(fens[index] ?? USUAL);
      const best = steps[Math.floor(this.random() * steps.length)];
      const reply = best ? stepsOf(best.fen)[0] : undefined;
      const judgement = best && best.uci !== move.uci ? (judgements[Math.floor(this.random() * 4)] ?? null) : null;
      return {
        loss: 0.1,
        accuracy: 80,
        judgement,
        best: best ? (reply ? [best, reply] : [best]) : [],
        score: { cp: index * 7 },
        wdl,
        depth: 12,
        lesson: judgement && best ? lessonOf(fens[index] ?? USUAL, move, best) : null,
      };
    });
    const side = { moves: 1, accuracy: 90, average_loss: 1, average_centipawn_loss: 5, inaccuracies: 0, mistakes: 0, blunders: 0 };
    const peer = { elo: 1500, positions: 16, own: 80, level: 75 };
    const comparing: Answer = { type: 'comparing', id, done: 16, total: 16 };
    return [...progress, comparing, { type: 'reviewed', id, plies, white: side, black: side, white_peer: peer, black_peer: null }];
  }
}
