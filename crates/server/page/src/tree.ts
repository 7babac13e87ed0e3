// A game with variations.

import type { Facts, Score, Start, Wdl } from './protocol';

export interface Eval {
  score: Score;
  wdl: Wdl;
  depth: number;
}

export interface Judged {
  loss: number;
  judgement: 'inaccuracy' | 'mistake' | 'blunder' | null;
  best: string | null;
}

export interface Move {
  readonly parent: Move | null;
  /** The first is the main line. */
  children: Move[];
  readonly ply: number;
  uci: string;
  san: string;
  fen: string;
  facts: Facts | null;
  eval: Eval | null;
  judged: Judged | null;
  comment: string;
  nags: number[];
}

/** A move of a game as it is kept or sent: `parent` is the place of the move before it. */
export interface Flat {
  parent: number | null;
  uci: string;
  san: string;
  fen: string;
  comment?: string;
  nags?: number[];
  eval?: Eval | null;
  judged?: Judged | null;
}

export interface Saved {
  start: Start;
  startFen: string;
  headers: Record<string, string>;
  moves: Flat[];
  at: number;
}

function node(parent: Move | null, ply: number, flat: Omit<Flat, 'parent'>): Move {
  return {
    parent,
    children: [],
    ply,
    uci: flat.uci,
    san: flat.san,
    fen: flat.fen,
    facts: null,
    eval: flat.eval ?? null,
    judged: flat.judged ?? null,
    comment: flat.comment ?? '',
    nags: flat.nags ?? [],
  };
}

export class Tree {
  readonly root: Move;
  headers: Record<string, string> = {};

  constructor(
    readonly start: Start,
    readonly startFen: string,
  ) {
    const [, side, , , , number] = startFen.split(' ');
    const ply = (Number(number ?? 1) - 1) * 2 + (side === 'b' ? 1 : 0);
    this.root = node(null, ply, { uci: '', san: '', fen: startFen });
  }

  /** The child of a move by its text; a new one if there is none yet. */
  add(parent: Move, uci: string, san: string, fen: string): Move {
    const known = parent.children.find((child) => child.uci === uci);
    if (known) return known;
    const child = node(parent, parent.ply + 1, { uci, san, fen });
    parent.children.push(child);
    return child;
  }

  /** The moves from the start to here. */
  path(move: Move): Move[] {
    const path: Move[] = [];
    for (let at: Move | null = move; at?.parent; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The line through a move to its end. */
  line(move: Move): Move[] {
    const line = this.path(move);
    for (let at = move.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** The main line. */
  main(): Move[] {
    return this.line(this.root);
  }

  /** Whether a move belongs to the main line. */
  isMain(move: Move): boolean {
    for (let at: Move | null = move; at?.parent; at = at.parent) {
      if (at.parent.children[0] !== at) return false;
    }
    return true;
  }

  /** Makes the line to a move the main line. */
  promote(move: Move): void {
    for (let at: Move | null = move; at?.parent; at = at.parent) {
      const child = at;
      const siblings: Move[] = at.parent.children;
      at.parent.children = [child, ...siblings.filter((other) => other !== child)];
    }
  }

  /** Removes a move with all that follows. */
  remove(move: Move): void {
    const parent = move.parent;
    if (parent) parent.children = parent.children.filter((child) => child !== move);
  }

  /** All moves, each after the one before it. */
  all(): Move[] {
    const list: Move[] = [this.root];
    for (let index = 0; index < list.length; index++) list.push(...(list[index]?.children ?? []));
    return list;
  }

  save(at: Move): Saved {
    const all = this.all();
    const places = new Map(all.map((move, index) => [move, index - 1]));
    const moves = all.slice(1).map((move): Flat => {
      const place = move.parent ? places.get(move.parent) : undefined;
      const { uci, san, fen, comment, nags, eval: score, judged } = move;
      return { parent: place === undefined || place < 0 ? null : place, uci, san, fen, comment, nags, eval: score, judged };
    });
    const { start, startFen, headers } = this;
    return { start, startFen, headers, moves, at: places.get(at) ?? -1 };
  }

  static load(saved: Saved): { tree: Tree; at: Move } {
    const tree = new Tree(saved.start, saved.startFen);
    tree.headers = saved.headers;
    const moves = tree.fill(saved.moves);
    return { tree, at: moves[saved.at] ?? tree.root };
  }

  /** Adds moves that were kept or sent. */
  fill(flat: Flat[]): Move[] {
    const moves: Move[] = [];
    for (const one of flat) {
      const parent = one.parent === null ? this.root : moves[one.parent];
      if (!parent) continue;
      const child = node(parent, parent.ply + 1, one);
      parent.children.push(child);
      moves.push(child);
    }
    return moves;
  }
}

/** `12.` before a move of White, `12…` before one of Black. */
export function number(ply: number): string {
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

/** What White may expect, from 0 to 1. */
export function expectation(wdl: Wdl): number {
  return (wdl[0] + wdl[1] / 2) / 1000;
}
