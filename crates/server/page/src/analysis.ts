// The engine's card: score, chances, lines, and a small board for the move under the pointer.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { App } from './app';
import { MiniBoard, journey } from './board';
import { h, icon, replace } from './dom';
import type { Line, Search, Wdl } from './protocol';
import { number, scoreText } from './tree';

const MAX_LINES = 5;

export function thousands(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(2)} G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e7 ? 1 : 2)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return String(value);
}

/** The bar of White's chances. */
export class ChanceBar {
  readonly element: HTMLElement;
  private readonly parts = ['win', 'draw', 'loss'].map((name) => h('span', { class: `chance ${name}` }));

  constructor() {
    this.element = h('div', { class: 'chances', role: 'img' }, ...this.parts);
  }

  show(wdl: Wdl | null): void {
    this.element.classList.toggle('empty', !wdl);
    const shares = wdl ?? [0, 1000, 0];
    for (const [index, part] of this.parts.entries()) {
      const share = shares[index] ?? 0;
      part.style.flexGrow = String(share);
      part.textContent = wdl && share >= 90 ? `${Math.round(share / 10)}%` : '';
    }
    const percent = shares.map((share) => Math.round(share / 10));
    const text = wdl ? `White wins ${percent[0]}%, draw ${percent[1]}%, Black wins ${percent[2]}%` : '';
    this.element.title = text;
    this.element.setAttribute('aria-label', text || 'No chances known');
  }
}

export class Analysis {
  readonly element: HTMLElement;
  private readonly score = h('output', { class: 'score', 'aria-label': 'Score' });
  private readonly state = h('span', { class: 'engine-state' });
  private readonly chances = new ChanceBar();
  private readonly lines = h('ol', { class: 'lines' });
  private readonly toggle: HTMLInputElement;
  private readonly count = h('span', { class: 'count' });
  private readonly mini = new MiniBoard();
  private readonly popup: HTMLElement;
  private open = new Set<number>();

  constructor(private readonly app: App) {
    this.toggle = h('input', {
      type: 'checkbox',
      role: 'switch',
      id: 'engine',
      'aria-label': 'Engine',
      onChange: () => app.set('engine', this.toggle.checked),
    });
    const step = (by: number) => () => {
      app.set('lines', Math.min(MAX_LINES, Math.max(1, app.settings.lines + by)));
    };
    const stepper = h(
      'span',
      { class: 'stepper', role: 'group', 'aria-label': 'Number of lines' },
      h('button', { type: 'button', 'aria-label': 'Fewer lines', onClick: step(-1) }, '−'),
      this.count,
      h('button', { type: 'button', 'aria-label': 'More lines', onClick: step(1) }, '+'),
    );
    const head = h(
      'div',
      { class: 'engine-head' },
      h('label', { class: 'switch', title: 'Engine on or off (L)' }, this.toggle, h('span', { class: 'knob' })),
      this.score,
      this.state,
      stepper,
    );
    this.popup = h('div', { class: 'popup', hidden: true }, this.mini.element);
    document.body.append(this.popup);
    this.element = h('section', { class: 'card engine', 'aria-label': 'Engine' }, head, this.chances.element, this.lines);
    app.on(['search', 'settings', 'place', 'game', 'link'], () => this.show());
    this.lines.addEventListener('mouseleave', () => this.hide());
    this.show();
  }

  private show(): void {
    const { app } = this;
    const playing = app.game?.isOn ?? false;
    const search = app.search;
    const best = playing ? undefined : search?.lines[0];
    const known = playing ? null : (best ?? app.at.eval);
    this.element.classList.toggle('playing', playing);
    this.toggle.checked = app.settings.engine;
    this.toggle.disabled = playing;
    this.count.textContent = String(app.settings.lines);
    const outcome = app.at.facts?.outcome;
    this.score.textContent = outcome ? outcome.result : known ? scoreText(known.score) : '–';
    this.state.textContent = describe(app, search);
    this.chances.show(known?.wdl ?? null);
    this.showLines(playing ? [] : (search?.lines ?? []), playing ? 0 : app.settings.lines);
    if (!search?.lines.length) this.hide();
  }

  /** Lines keep their elements, so that nothing flickers under the pointer. */
  private showLines(lines: Line[], room: number): void {
    const off = !this.app.settings.engine && lines.length === 0;
    const rows = off || this.app.at.facts?.outcome ? lines.length : Math.max(lines.length, room);
    while (this.lines.children.length > rows) this.lines.lastElementChild?.remove();
    for (let index = 0; index < rows; index++) {
      let row = this.lines.children[index] as HTMLLIElement | undefined;
      if (!row) {
        row = h('li', { class: 'line' });
        this.lines.append(row);
      }
      const line = lines[index];
      const text = line ? JSON.stringify([line.score, line.moves.map((move) => move.uci), this.open.has(index)]) : '';
      if (row.dataset['text'] === text) continue;
      row.dataset['text'] = text;
      row.classList.toggle('open', this.open.has(index));
      replace(row, ...(line ? this.row(line, index) : [h('span', { class: 'placeholder' })]));
    }
  }

  private row(line: Line, index: number): HTMLElement[] {
    const sign = 'cp' in line.score ? line.score.cp : line.score.mate;
    const score = h('span', { class: `pill ${sign < 0 ? 'black' : 'white'}` }, scoreText(line.score));
    const moves = h('span', { class: 'pv' });
    const ply = this.app.at.ply;
    for (const [at, move] of line.moves.entries()) {
      const isQuiet = at >= line.main_plies;
      if (at === line.main_plies) moves.append(h('span', { class: 'divide', title: 'From here on quiescence: captures until the position is quiet' }, icon('leaf')));
      const label = at === 0 || (ply + at + 1) % 2 === 1 ? `${number(ply + at + 1)}\u2009` : '';
      const word = h(
        'button',
        {
          type: 'button',
          class: isQuiet ? 'pv-move quiet' : 'pv-move',
          tabindex: '-1',
          onClick: () => this.app.playLine(line.moves.slice(0, at + 1)),
          onMouseenter: (event: MouseEvent) => this.preview(event, line, at),
          onFocus: (event: FocusEvent) => this.preview(event, line, at),
        },
        label + move.san,
      );
      moves.append(word, ' ');
    }
    const last = line.moves.length - 1;
    const leaf = h(
      'button',
      {
        type: 'button',
        class: 'leaf',
        'aria-label': 'Show the position that was scored',
        onMouseenter: (event: MouseEvent) => this.preview(event, line, last),
        onClick: () => {
          if (this.open.has(index)) this.open.delete(index);
          else this.open.add(index);
          this.show();
        },
      },
      icon('open'),
    );
    return [score, moves, leaf];
  }

  /** Shows a position of a line; at its end, the moves of quiescence as warm arrows. */
  private preview(event: Event, line: Line, at: number): void {
    const move = line.moves[at];
    if (!move) return;
    const shapes: DrawShape[] = [];
    if (at === line.moves.length - 1) {
      for (const step of line.moves.slice(line.main_plies)) {
        const [orig, dest] = journey(step);
        shapes.push({ orig, dest, brush: 'quiet' });
      }
    }
    this.popup.hidden = false;
    this.mini.show(move, this.app.orientation, shapes);
    const target = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const size = this.popup.getBoundingClientRect();
    const left = Math.min(Math.max(8, target.left - 20), innerWidth - size.width - 8);
    const below = target.bottom + 8;
    const top = below + size.height > innerHeight ? target.top - size.height - 8 : below;
    this.popup.style.left = `${left}px`;
    this.popup.style.top = `${Math.max(8, top)}px`;
  }

  private hide(): void {
    this.popup.hidden = true;
  }
}

function describe(app: App, search: Search | null): string {
  if (app.link.state !== 'open') return 'no connection';
  const outcome = app.at.facts?.outcome;
  if (outcome) return outcome.reason;
  if (app.game?.isOn) {
    if (app.game.isThinking) return 'Halcyon is thinking';
    return app.game.fromBook ? 'your move\nHalcyon’s was from its book' : 'your move';
  }
  if (!search || (search.lines.length === 0 && search.state === 'waiting')) {
    return app.settings.engine ? 'starting' : 'engine is off';
  }
  const doing = { running: `${thousands(search.nps)}/s`, done: 'done', waiting: 'in line', idle: 'paused', stopped: 'stopped' };
  return `depth ${search.depth}/${search.seldepth}\n${thousands(search.nodes)} · ${doing[search.state]}`;
}
