// The board: men, moves by drag and click, promotion, arrows, evaluation bar.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Dests, Key, Role } from '@lichess-org/chessground/types';
import type { App } from './app';
import { h, man } from './dom';
import type { Facts, Line, Step } from './protocol';
import { expectation, scoreText } from './tree';

const ROLES: [Role, string][] = [['queen', 'q'], ['knight', 'n'], ['rook', 'r'], ['bishop', 'b']];

const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });

/** Colours of arrows; those of the quiescence part are warm. */
export const BRUSHES = {
  green: brush('green', '#15781b', 0.9, 10),
  red: brush('red', '#882020', 0.9, 10),
  blue: brush('blue', '#003088', 0.9, 10),
  yellow: brush('yellow', '#e68f00', 0.9, 10),
  best: brush('best', '#0d7f86', 0.85, 13),
  good: brush('good', '#0d7f86', 0.45, 9),
  main: brush('main', '#0d7f86', 0.8, 8),
  quiet: brush('quiet', '#e2711d', 0.85, 8),
};

function dests(facts: Facts | null): Dests {
  return new Map(Object.entries(facts?.dests ?? {})) as Dests;
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

  constructor(private readonly app: App) {
    const mount = h('div', { class: 'mount' });
    this.holder = h('div', { class: 'holder', role: 'group', 'aria-label': 'Chess board' }, mount);
    this.gauge = h('div', { class: 'gauge', role: 'img', 'aria-label': 'Evaluation' }, this.bar, this.barScore);
    this.element = h('div', { class: 'board' }, this.gauge, this.holder);
    this.api = Chessground(mount, {
      coordinates: true,
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 180 },
      premovable: { enabled: false },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true },
      drawable: { enabled: true, brushes: BRUSHES },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
    });
    app.on(['place', 'board', 'game'], () => this.show());
    app.on(['search', 'settings', 'place', 'game'], () => this.draw());
    new ResizeObserver(() => this.api.redrawAll()).observe(mount);
    this.show();
  }

  /** Shows the position. */
  private show(): void {
    const { at, game, orientation } = this.app;
    const facts = at.facts;
    const turn = facts?.turn ?? (at.fen.split(' ')[1] === 'b' ? 'black' : 'white');
    const mine = !game?.isOn || (game.isAtEnd && turn === game.color);
    this.closePromotion();
    this.api.set({
      fen: at.fen,
      orientation,
      turnColor: turn,
      check: facts?.check ? turn : false,
      lastMove: at.uci ? journey(at) : [],
      movable: { color: mine ? turn : undefined, dests: mine ? dests(facts) : new Map() },
    });
    this.gauge.classList.toggle('flipped', orientation === 'black');
  }

  /** Draws what the engine thinks: arrows and the bar. */
  private draw(): void {
    const { app } = this;
    const hidden = app.game?.isOn ?? false;
    const lines = hidden ? [] : (app.search?.lines ?? []);
    this.api.setAutoShapes(app.settings.arrows ? arrows(lines) : []);
    const known = hidden ? null : (lines[0] ?? app.at.eval);
    const outcome = app.at.facts?.outcome;
    this.gauge.classList.toggle('empty', !known && !outcome);
    let share = known ? expectation(known.wdl) : 0.5;
    let text = known ? scoreText(known.score) : '';
    if (outcome) {
      share = outcome.result === '1-0' ? 1 : outcome.result === '0-1' ? 0 : 0.5;
      text = outcome.result === '1/2-1/2' ? '½' : outcome.result;
    }
    this.bar.style.setProperty('--share', String(Math.min(0.985, Math.max(0.015, share))));
    this.barScore.textContent = text.replace(/^[+−]/, '').replace(/(\.\d)\d$/, '$1');
    this.barScore.classList.toggle('for-black', share < 0.5);
    this.gauge.setAttribute('aria-label', known ? `Evaluation ${text}` : 'No evaluation');
  }

  private moved(from: Key, to: Key): void {
    const piece = this.api.state.pieces.get(to);
    if (piece?.role === 'pawn' && (to[1] === '8' || to[1] === '1')) {
      this.choosePromotion(from, to);
      return;
    }
    void this.app.play(from + to);
  }

  /** Lets the user choose what a pawn becomes. */
  private choosePromotion(from: Key, to: Key): void {
    const turn = to[1] === '8' ? 'white' : 'black';
    const flipped = this.app.orientation === 'black';
    const file = to.charCodeAt(0) - 97;
    const column = flipped ? 7 - file : file;
    const fromTop = (turn === 'white') !== flipped;
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
            void this.app.play(from + to + letter);
          },
        },
        man(role, turn),
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
      if (event.key === 'Escape') cancel();
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

/** One arrow for each line: the best is bold, others are thinner the more they lose. */
function arrows(lines: Line[]): DrawShape[] {
  const best = lines[0];
  if (!best) return [];
  const sign = best.moves[0]?.fen.split(' ')[1] === 'b' ? 1 : -1;
  const shapes: DrawShape[] = [];
  for (const [index, line] of lines.entries()) {
    const first = line.moves[0];
    if (!first) continue;
    const loss = sign * (expectation(best.wdl) - expectation(line.wdl));
    if (index > 0 && loss > 0.2) continue;
    const [orig, dest] = journey(first);
    const width = index === 0 ? 13 : Math.max(4, 10 - loss * 40);
    shapes.push({ orig, dest, brush: index === 0 ? 'best' : 'good', modifiers: { lineWidth: width } });
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
    this.api.set({ fen: move.fen, orientation, lastMove: journey(move) });
    this.api.setAutoShapes(shapes);
    this.api.redrawAll();
  }
}
