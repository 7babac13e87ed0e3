// The engine's card: score, chances, lines, and a small board for the move under the pointer.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { App } from './app';
import { MiniBoard, journey } from './board';
import { h, icon, iconButton, replace } from './dom';
import type { Line } from './protocol';
import { here, phase, shownSearch, type LiveSearch } from './state';
import { moveNumber, scoreText, type Wdl } from './tree';

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
  private readonly state = h('span', {
    class: 'engine-state',
    title: 'Depth and deepest line in plies; positions searched, and how many per second',
  });
  private readonly chances = new ChanceBar();
  private readonly lines = h('ol', { class: 'lines' });
  private readonly toggle: HTMLInputElement;
  private readonly threat: HTMLButtonElement;
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
      onChange: () => app.set({ engine: this.toggle.checked }),
    });
    const step = (by: number) => () => {
      app.set({ lines: Math.min(MAX_LINES, Math.max(1, app.state.settings.lines + by)) });
    };
    const stepper = h(
      'span',
      { class: 'stepper', role: 'group', 'aria-label': 'Number of lines', title: 'How many of the best lines are shown' },
      h('button', { type: 'button', 'aria-label': 'Fewer lines', onClick: step(-1) }, '−'),
      this.count,
      h('button', { type: 'button', 'aria-label': 'More lines', onClick: step(1) }, '+'),
    );
    this.threat = iconButton('threat', 'Show the opponent’s threat (X)', () => app.dispatch({ type: 'threat', on: !app.state.threat }));
    const head = h(
      'div',
      { class: 'engine-head' },
      h('label', { class: 'switch', title: 'Engine on or off (L)' }, this.toggle, h('span', { class: 'knob' })),
      this.score,
      this.state,
      this.threat,
      stepper,
    );
    this.popup = h('div', { class: 'popup', hidden: true }, this.mini.element);
    document.body.append(this.popup);
    this.element = h('section', { class: 'card engine', 'aria-label': 'Engine' }, head, this.chances.element, this.lines);
    this.lines.addEventListener('mouseleave', () => this.hide());
    app.watch(
      (state) => [state.search, state.settings, here(state), state.mode, state.link, state.threat, state.peek],
      () => this.show(),
    );
  }

  private show(): void {
    const { state } = this.app;
    const at = here(state);
    const playing = state.mode.kind === 'playing';
    const hidden = playing || state.peek !== null;
    const search = shownSearch(state);
    const best = search?.threat ? undefined : search?.view?.lines[0];
    const known = hidden ? null : (best ?? at.eval);
    this.element.classList.toggle('playing', playing);
    this.element.classList.toggle('threatening', state.threat);
    this.toggle.checked = state.settings.engine;
    this.toggle.disabled = playing;
    this.threat.setAttribute('aria-pressed', String(state.threat));
    this.count.textContent = String(state.settings.lines);
    const outcome = state.peek ? undefined : at.facts?.outcome;
    this.score.textContent = outcome ? outcome.result.replace('1/2-1/2', '½–½') : known ? scoreText(known.score) : '–';
    this.state.textContent = describe(this.app, search);
    this.chances.show(outcome ? null : (known?.wdl ?? null));
    this.showLines(
      search?.view?.lines ?? [],
      hidden || outcome || !state.settings.engine || state.mode.kind === 'reviewing' ? 0 : state.settings.lines,
    );
    if (!search?.view?.lines.length) this.hide();
  }

  /** Lines keep their elements, so that nothing flickers under the pointer. */
  private showLines(lines: Line[], room: number): void {
    const rows = Math.max(lines.length, room);
    while (this.lines.children.length > rows) this.lines.lastElementChild?.remove();
    for (let index = 0; index < rows; index++) {
      let row = this.lines.children[index] as HTMLLIElement | undefined;
      if (!row) {
        row = h('li', { class: `line line${index + 1}` });
        this.lines.append(row);
      }
      const line = lines[index];
      const text = line ? JSON.stringify([line.score, line.moves.map((move) => move.uci), this.open.has(index), this.app.state.at]) : '';
      if (row.dataset['text'] === text) continue;
      row.dataset['text'] = text;
      row.classList.toggle('open', this.open.has(index));
      replace(row, ...(line ? this.row(line, index) : [h('span', { class: 'placeholder' })]));
    }
  }

  private row(line: Line, index: number): HTMLElement[] {
    const { app } = this;
    const node = app.state.at;
    const threat = shownSearch(app.state)?.threat ?? false;
    const sign = 'cp' in line.score ? line.score.cp : line.score.mate;
    const score = h('span', { class: `pill ${sign < 0 ? 'black' : 'white'}` }, scoreText(line.score));
    const moves = h('span', { class: 'pv' });
    const ply = app.at.ply + (threat ? 1 : 0);
    for (const [at, move] of line.moves.entries()) {
      const isQuiet = at >= line.main_plies;
      if (at === line.main_plies)
        moves.append(h('span', { class: 'divide', title: 'From here on quiescence: captures until the position is quiet' }, icon('leaf')));
      const label = at === 0 || (ply + at + 1) % 2 === 1 ? `${moveNumber(ply + at + 1)}\u2009` : '';
      const word = h(
        'button',
        {
          type: 'button',
          class: isQuiet ? 'pv-move quiet' : 'pv-move',
          tabindex: '-1',
          onClick: () => {
            const search = shownSearch(app.state);
            if (search?.node === node) app.dispatch({ type: 'play-line', search: search.id, steps: line.moves.slice(0, at + 1) });
          },
          onMouseenter: () => this.preview(line, at),
          onFocus: () => this.preview(line, at),
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
        'aria-label': 'Show the whole line and the position that was scored',
        'aria-expanded': String(this.open.has(index)),
        onMouseenter: () => this.preview(line, last),
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

  /** Shows a position of a line under the lines; at its end, the moves of quiescence as warm arrows. */
  private preview(line: Line, at: number): void {
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
    this.mini.show(move, this.app.state.orientation, shapes);
    const lines = this.lines.getBoundingClientRect();
    const size = this.popup.getBoundingClientRect();
    // Never on the line that is read: below the lines, above them, or beside them.
    const [below, above] = [lines.bottom + 8, lines.top - size.height - 8];
    const beside = below + size.height > innerHeight && above < 8;
    const left = beside ? lines.left - size.width - 8 : Math.min(lines.left, innerWidth - size.width - 8);
    this.popup.style.left = `${Math.max(8, left)}px`;
    this.popup.style.top = `${beside ? 8 : below + size.height <= innerHeight ? below : above}px`;
  }

  private hide(): void {
    this.popup.hidden = true;
  }
}

function describe(app: App, search: LiveSearch | null): string {
  const { state } = app;
  if (state.link.state !== 'open') return 'no connection';
  if (state.peek) return 'paused\nrecorded position';
  const outcome = here(state).facts?.outcome;
  if (outcome) return outcome.reason;
  if (state.mode.kind === 'reviewing') return 'reviewing';
  if (state.mode.kind === 'playing') {
    if (phase(state) === 'engine') return 'Halcyon is thinking';
    return state.mode.game.fromBook ? 'your move\nHalcyon’s was from its book' : 'your move';
  }
  const view = search?.view;
  if (!search || !view || (view.lines.length === 0 && view.state === 'waiting'))
    return state.settings.engine ? 'starting' : 'engine is off';
  const doing = { running: `${thousands(view.nps)}/s`, done: 'done', waiting: 'queued', idle: 'paused', stopped: 'stopped' };
  return `${search.threat ? 'threat' : 'depth'} ${view.depth}/${view.seldepth}\n${thousands(view.nodes)} · ${doing[view.state]}`;
}
