// The explorer: what was played here in the games of the library, and what the opening book knows.

import type { App } from './app';
import { h, replace } from './dom';
import { positionKey } from './exercises';
import type { LibraryGame } from './storage';
import { here } from './state';
import { mainLine, movesTo, nodeOf, ROOT } from './tree';

interface Played {
  uci: string;
  san: string;
  white: number;
  draws: number;
  black: number;
  open: number;
}

type Index = Map<string, Map<string, Played>>;

/** Adds the moves of a game to an index. */
export function addGame(index: Index, game: Pick<LibraryGame, 'tree' | 'result'>): void {
  const { tree, result } = game;
  let before = nodeOf(tree, ROOT);
  for (const id of mainLine(tree)) {
    const node = nodeOf(tree, id);
    const key = positionKey(before.fen);
    const moves = index.get(key) ?? new Map<string, Played>();
    index.set(key, moves);
    const played = moves.get(node.uci) ?? { uci: node.uci, san: node.san, white: 0, draws: 0, black: 0, open: 0 };
    moves.set(node.uci, played);
    if (result === '1-0') played.white++;
    else if (result === '0-1') played.black++;
    else if (result === '1/2-1/2') played.draws++;
    else played.open++;
    before = node;
  }
}

export class Explorer {
  readonly element: HTMLDetailsElement;
  private readonly body = h('div', { class: 'explorer-body' });
  private readonly book = h('div', { class: 'explorer-body' });
  private readonly title = h('summary', {});
  private index: Index | null = null;

  constructor(private readonly app: App) {
    this.element = h('details', { class: 'card explorer' }, this.title, this.body, this.book);
    this.element.addEventListener('toggle', () => void this.open());
    app.watch((state) => [state.at, state.tree.startFen, state.mode.kind], () => this.show());
    app.watch((state) => [state.limits.book], () => (this.title.textContent = app.state.limits.book ? 'Explorer: your library and the book' : 'Explorer: moves of your library'));
  }

  private async open(): Promise<void> {
    this.index = null;
    if (!this.element.open) return;
    await this.app.saveToLibrary();
    const index: Index = new Map();
    for (const game of await this.app.library.all()) addGame(index, game);
    this.index = index;
    this.show();
  }

  private show(): void {
    const { state } = this.app;
    // In a game, looking up what others have played is not for the players.
    this.element.hidden = state.mode.kind === 'playing' || state.mode.kind === 'training';
    if (!this.index) return;
    void this.showBook();
    const moves = [...(this.index.get(positionKey(here(state).fen))?.values() ?? [])];
    const games = (one: Played) => one.white + one.draws + one.black + one.open;
    moves.sort((one, two) => games(two) - games(one));
    if (moves.length === 0) {
      replace(this.body, h('p', { class: 'hint' }, 'No game of the library has come here.'));
      return;
    }
    replace(this.body, ...moves.slice(0, 12).map((one) => this.row(one, games(one))));
  }

  /** The moves of the server's opening book, with their share of its weights. */
  private async showBook(): Promise<void> {
    const { app } = this;
    const { tree, at, limits } = app.state;
    this.book.hidden = !limits.book;
    if (!limits.book || !this.element.open || this.element.hidden) return;
    const answer = await app.connection.ask<'book'>({ type: 'book', at: { start: tree.start, moves: movesTo(tree, at) } }).catch(() => null);
    // The board may show something else by now.
    if (!answer || app.state.at !== at || app.state.tree.startFen !== tree.startFen) return;
    const total = answer.moves.reduce((sum, { weight }) => sum + weight, 0);
    const rows = answer.moves.slice(0, 12).map(({ san, uci, weight }) => {
      const share = total ? weight / total : 0;
      const bar = h('span', { class: 'share' });
      bar.style.setProperty('--share', String(share));
      const text = `${san}: ${Math.round(100 * share)}% of the book’s weight`;
      return h('button', { type: 'button', class: 'explorer-move', title: text, onClick: () => app.dispatch({ type: 'play', text: uci }) }, h('b', {}, san), h('span', { class: 'explorer-count' }, `${Math.round(100 * share)}%`), bar);
    });
    replace(this.book, h('h3', {}, 'Book'), ...(rows.length ? rows : [h('p', { class: 'hint' }, 'The book does not know this position.')]));
  }

  private row(one: Played, count: number): HTMLElement {
    const part = (name: string, value: number) => {
      const span = h('span', { class: `chance ${name}` }, value && value / count > 0.15 ? `${Math.round((100 * value) / count)}%` : '');
      span.style.flexGrow = String(value);
      return span;
    };
    const text = `${count === 1 ? 'game' : 'games'}: White won ${one.white}, ${one.draws} drawn, Black won ${one.black}`;
    return h(
      'button',
      { type: 'button', class: 'explorer-move', title: `${count} ${text}`, onClick: () => this.app.dispatch({ type: 'play', text: one.uci }) },
      h('b', {}, one.san),
      h('span', { class: 'explorer-count' }, String(count), h('span', { class: 'unseen' }, ` ${text}`)),
      h('span', { class: 'chances', 'aria-hidden': 'true' }, part('win', one.white), part('draw', one.draws + one.open), part('loss', one.black)),
    );
  }
}
