// The board: pieces, moves by drag and click, promotion, arrows, evaluation bar.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Dests, Key, Role } from '@lichess-org/chessground/types';
import type { App } from './app';
import type { Shape } from './comments';
import { h, pieceElement } from './dom';
import type { Facts, Line, Step } from './protocol';
import { here, phase, shownSearch, sideToMove, waitingMoves, type Peek } from './state';
import { expectation, mainEnd, nodeOf, scoreText, isPass, type GameNode } from './tree';
import { whyNotMove } from './update';

const ROLES: [Role, string][] = [
  ['queen', 'q'],
  ['knight', 'n'],
  ['rook', 'r'],
  ['bishop', 'b'],
];

const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });

/** Colours of arrows; those of the quiescence part are warm. */
export const BRUSHES = {
  green: brush('green', '#15781b', 0.9, 10),
  red: brush('red', '#882020', 0.9, 10),
  blue: brush('blue', '#003088', 0.9, 10),
  yellow: brush('yellow', '#e68f00', 0.9, 10),
  line1: brush('line1', '#0d7f86', 0.85, 13),
  line2: brush('line2', '#3b63c4', 0.55, 9),
  line3: brush('line3', '#8a4fb5', 0.5, 9),
  line4: brush('line4', '#8a6d3b', 0.5, 9),
  line5: brush('line5', '#6b7680', 0.5, 9),
  threat: brush('threat', '#b3261e', 0.8, 12),
  better: brush('better', '#2e8b3d', 0.8, 11),
  quiet: brush('quiet', '#e2711d', 0.85, 8),
};

const COLORS: Record<Shape['color'], string> = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };

function dests(facts: Facts | null): Dests {
  return new Map(Object.entries(facts?.dests ?? {})) as Dests;
}

function shapesOf(shapes: readonly Shape[]): DrawShape[] {
  return shapes.map(({ color, from, to }) => ({ orig: from as Key, ...(to ? { dest: to as Key } : {}), brush: COLORS[color] }));
}

/** From where to where a move leads the eye: castling moves the king, though its name names the rook. */
export function journey({ uci, san }: { uci: string; san: string }): [Key, Key] {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const castled = san.startsWith('O-O-O') ? 'c' : san.startsWith('O-O') ? 'g' : null;
  const end = castled ? castled + from[1] : to;
  // In Chess960 the king may stay where it is; then the rook shows the move.
  return [from as Key, (end === from ? to : end) as Key];
}

export class Board {
  readonly element: HTMLElement;
  private readonly api: Api;
  private readonly holder: HTMLElement;
  private readonly bar = h('div', { class: 'bar-white' });
  private readonly barScore = h('span', { class: 'bar-score' });
  private readonly gauge: HTMLElement;
  private promotion: HTMLElement | null = null;
  /** The mouse button that was pressed last. */
  private button = 0;
  /** The position that is shown, and whether moves that are told of now were made in the one before it. */
  private fen = '';
  private isLate = false;

  constructor(private readonly app: App) {
    const mount = h('div', { class: 'mount' });
    this.holder = h('div', { class: 'holder', role: 'group', 'aria-label': 'Chess board' }, mount);
    this.gauge = h('div', { class: 'gauge', role: 'img', 'aria-label': 'Evaluation' }, this.bar, this.barScore);
    this.element = h('div', { class: 'board' }, this.gauge, this.holder);
    this.api = Chessground(mount, {
      coordinates: true,
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 180 },
      premovable: { enabled: true, showDests: true },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true },
      drawable: { enabled: true, brushes: BRUSHES, onChange: (shapes) => this.drawn(shapes) },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
    });
    app.watch(
      (state) => [state.at, here(state).facts, state.mode, state.orientation, state.tree.startFen, state.peek, waitingMoves(state)?.[1]],
      () => this.show(),
    );
    app.watch(
      (state) => [here(state).shapes],
      () => this.showShapes(),
    );
    app.watch(
      (state) => [
        shownSearch(state)?.view,
        state.search?.view,
        state.settings.arrows,
        state.at,
        state.mode,
        here(state),
        state.pointed,
        state.peek,
      ],
      () => this.draw(),
    );
    this.holder.addEventListener(
      'pointerdown',
      (event) => {
        this.button = event.button;
        // A move is told of a moment after it was made, and the next may have begun by then.
        if (!this.api.state.movable.dests) this.showWaiting();
      },
      true,
    );
    app.onRefused = () => this.show();
    new ResizeObserver(() => this.api.redrawAll()).observe(mount);
  }

  /** Measures the board again, once it is in the page. */
  refresh(): void {
    this.api.redrawAll();
  }

  /** Shows the position. */
  private show(): void {
    const { state } = this.app;
    this.holder.classList.toggle('recorded', state.peek !== null);
    this.gauge.classList.toggle('flipped', state.orientation === 'black');
    if (state.peek) {
      this.showRecorded(state.peek);
      return;
    }
    if (waitingMoves(state)) {
      this.showWaiting();
      return;
    }
    const at = here(state);
    this.forgetLateMoves(at);
    const turn = sideToMove(state.tree, state.at);
    const isFree = !whyNotMove(state);
    const game = state.mode.kind === 'playing' ? state.mode.game : null;
    // In a game the own pieces can be picked up all the time: for the next move, or one in advance.
    const atEnd = game && state.at === mainEnd(state.tree);
    const color = isFree ? turn : atEnd ? (game.color ?? undefined) : undefined;
    // A click before the moves of a new position are known is not lost: in a game it begins a move in
    // advance, otherwise one that the server judges.
    const isUnknown = atEnd === true && turn === game?.color && !at.facts;
    const free = isFree && !game && !at.facts;
    this.closePromotion();
    this.api.set({
      fen: at.fen,
      orientation: state.orientation,
      turnColor: isUnknown ? (turn === 'white' ? 'black' : 'white') : turn,
      check: at.facts?.check ? turn : false,
      lastMove: at.uci && !isPass(at) ? journey(at) : [],
      movable: { color, free, dests: isFree ? dests(at.facts) : new Map() },
      // A new position would clear them.
      drawable: { enabled: true, shapes: shapesOf(at.shapes) },
      premovable: { enabled: isUnknown || (phase(state) === 'engine' && atEnd === true) },
    });
    if (isFree && at.facts && game) this.api.playPremove();
    else if (!game) this.api.cancelPremove();
  }

  /**
   * chessground reports a move a moment after it was made. If the board shows another position by then,
   * and not the one that the move before it led to, it was not meant for that.
   */
  private forgetLateMoves({ fen, parent }: GameNode): void {
    const before = parent === null ? null : nodeOf(this.app.state.tree, parent).fen;
    if (fen !== this.fen && before !== this.fen) {
      this.isLate = true;
      // Timers of the same length end in their order.
      window.setTimeout(() => (this.isLate = false), 1);
    }
    this.fen = fen;
  }

  /**
   * The board is ahead of the server: it has a move that is not confirmed yet, and takes the next one. In
   * an analysis that is a move of the other side, which is judged when its turn comes; in a game it is one
   * in advance.
   */
  private showWaiting(): void {
    const { orientation, mode } = this.app.state;
    const { turnColor } = this.api.state;
    const isFree = mode.kind !== 'playing' && mode.kind !== 'training';
    this.api.set({
      orientation,
      ...(isFree ? { movable: { color: turnColor, free: true } } : {}),
      premovable: { enabled: mode.kind === 'playing' },
    });
  }

  /** A position of a recorded search is only looked at. */
  private showRecorded({ fen, step }: Peek): void {
    this.closePromotion();
    this.api.cancelPremove();
    this.api.set({
      fen,
      orientation: this.app.state.orientation,
      turnColor: fen.split(' ')[1] === 'b' ? 'black' : 'white',
      check: false,
      lastMove: step ? journey(step) : [],
      movable: { color: undefined, free: false, dests: new Map() },
      drawable: { enabled: false, shapes: [] },
      premovable: { enabled: false },
    });
  }

  private drawn(shapes: DrawShape[]): void {
    // A click that only wants to select or to let go must not delete what is kept.
    if (shapes.length === 0 && this.button === 0) {
      this.showShapes();
      return;
    }
    const kept = shapes.map((shape): Shape => {
      const color = (Object.entries(COLORS).find(([, name]) => name === shape.brush)?.[0] ?? 'G') as Shape['color'];
      return { color, from: shape.orig, to: shape.dest ?? null };
    });
    this.app.dispatch({ type: 'annotate', node: this.app.state.at, fields: { shapes: kept } });
  }

  /** Shows the arrows and circles that belong to the position. */
  private showShapes(): void {
    const { state } = this.app;
    this.api.setShapes(state.peek ? [] : shapesOf(here(state).shapes));
  }

  /** Draws what the engine thinks: arrows and the bar. */
  private draw(): void {
    const { state } = this.app;
    const at = here(state);
    const search = shownSearch(state);
    const lines = search?.view?.lines ?? [];
    const shapes = state.settings.arrows ? arrows(lines, search?.threat ?? false) : [];
    const better = betterMove(this.app);
    if (better) shapes.push(better);
    const hint = state.search?.purpose === 'hint' && state.search.node === state.at ? state.search.view?.lines[0]?.moves[0] : undefined;
    if (hint) {
      const [orig, dest] = journey(hint);
      shapes.push({ orig, dest, brush: 'line1' });
    }
    for (const step of state.pointed) {
      const [orig, dest] = journey(step);
      shapes.push({ orig, dest, brush: 'quiet' });
    }
    const goal =
      state.mode.kind === 'training' && state.mode.hinted && state.mode.stage === 'solving'
        ? state.mode.exercises[state.mode.index]?.lesson.good[0]
        : undefined;
    if (goal) shapes.push({ orig: goal.uci.slice(0, 2) as Key, brush: 'green' });
    this.api.setAutoShapes(state.peek ? [] : shapes);
    const hidden = state.mode.kind === 'playing' || state.mode.kind === 'training' || state.peek !== null;
    const known = hidden ? null : ((search?.threat ? null : lines[0]) ?? at.eval);
    const outcome = state.peek ? undefined : at.facts?.outcome;
    this.gauge.classList.toggle('empty', !known && !outcome);
    let share = known ? expectation(known) : 0.5;
    let text = known ? scoreText(known.score) : '';
    if (outcome) {
      share = outcome.result === '1-0' ? 1 : outcome.result === '0-1' ? 0 : 0.5;
      text = outcome.result === '1/2-1/2' ? '½' : outcome.result;
    }
    this.bar.style.setProperty('--share', String(Math.min(0.985, Math.max(0.015, share))));
    this.barScore.textContent = text.replace(/^[+−]/, '').replace(/(\.\d)\d$/, '$1');
    this.barScore.classList.toggle('for-black', share < 0.5);
    this.gauge.setAttribute('aria-label', text ? `Evaluation ${text}` : 'No evaluation');
    this.gauge.title = text ? 'What White may expect between people' : '';
  }

  private moved(from: Key, to: Key): void {
    if (this.isLate) return;
    const piece = this.api.state.pieces.get(to);
    if (piece?.role === 'pawn' && (to[1] === '8' || to[1] === '1')) {
      this.choosePromotion(from, to);
      return;
    }
    this.app.dispatch({ type: 'play', text: from + to });
  }

  /** Lets the user choose what a pawn becomes. */
  private choosePromotion(from: Key, to: Key): void {
    const color = to[1] === '8' ? 'white' : 'black';
    const flipped = this.app.state.orientation === 'black';
    const file = to.charCodeAt(0) - 97;
    const column = flipped ? 7 - file : file;
    const fromTop = (color === 'white') !== flipped;
    const choices = ROLES.map(([role, letter]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'choice',
          'aria-label': `Promote to a ${role}`,
          onClick: (event: Event) => {
            event.stopPropagation();
            this.closePromotion();
            this.app.dispatch({ type: 'play', text: from + to + letter });
          },
        },
        pieceElement(role, color),
      ),
    );
    const list = h('div', { class: fromTop ? 'choices' : 'choices upwards' }, ...(fromTop ? choices : choices.reverse()));
    list.style.setProperty('--column', String(column));
    const cancel = () => {
      this.closePromotion();
      this.show();
    };
    this.promotion = h('div', { class: 'promotion cg-wrap', role: 'dialog', 'aria-label': 'Promotion', onClick: cancel }, list);
    this.promotion.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      cancel();
      event.stopPropagation();
    });
    this.holder.append(this.promotion);
    choices[fromTop ? 0 : choices.length - 1]?.focus();
  }

  private closePromotion(): void {
    this.promotion?.remove();
    this.promotion = null;
  }
}

/** The move that a review has found better than the one on the board. */
function betterMove({ state }: App): DrawShape | null {
  const at = here(state);
  if (!at.judged?.judgement || at.parent === null || state.mode.kind === 'playing' || state.mode.kind === 'training') return null;
  const siblings = nodeOf(state.tree, at.parent).children.map((id) => nodeOf(state.tree, id));
  const better = siblings.find((sibling) => sibling.id !== at.id && sibling.san === at.judged?.best);
  if (!better) return null;
  const [orig, dest] = journey(better);
  return { orig, dest, brush: 'better' };
}

/** One arrow for each line: the best is bold, others are thinner the more they lose. */
function arrows(lines: Line[], threat: boolean): DrawShape[] {
  const best = lines[0];
  if (!best) return [];
  const sign = best.moves[0]?.fen.split(' ')[1] === 'b' ? 1 : -1;
  const shapes: DrawShape[] = [];
  for (const [index, line] of lines.entries()) {
    const first = line.moves[0];
    if (!first) continue;
    const loss = sign * (expectation(best) - expectation(line));
    if (index > 0 && (threat || loss > 0.2)) continue;
    const [orig, dest] = journey(first);
    const width = index === 0 ? 13 : Math.max(4, 10 - loss * 40);
    shapes.push({ orig, dest, brush: threat ? 'threat' : `line${index + 1}`, modifiers: { lineWidth: width } });
  }
  return shapes.reverse();
}

/** A small board that only shows a position. */
export class MiniBoard {
  readonly element = h('div', { class: 'mini' });
  private readonly api: Api;

  constructor() {
    const mount = h('div', { class: 'mount' });
    this.element.append(mount);
    this.api = Chessground(mount, {
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
      drawable: { enabled: false, visible: true, brushes: BRUSHES },
    });
  }

  show(move: Step, orientation: 'white' | 'black', shapes: DrawShape[]): void {
    this.api.set({ fen: move.fen, orientation, lastMove: move.uci && !isPass(move) ? journey(move) : [] });
    this.api.setAutoShapes(shapes);
    this.api.redrawAll();
  }
}
