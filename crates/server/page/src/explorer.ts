// The explorer: what was played here in the games of the library, and what an opening book knows: that
// of the server, or one that the user has opened.

import type { App } from './app';
import { openBook, recordsOf, type BookFile } from './book';
import { h, iconButton, replace } from './dom';
import type { BookMove } from './protocol';
import { positionKey } from './exercises';
import { treeOf, type LibraryGame } from './storage';
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
  const { result } = game;
  const tree = treeOf(game);
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
  /** The book that the user has opened; undefined until what the browser keeps was looked at. */
  private own: BookFile | null | undefined;

  constructor(private readonly app: App) {
    const file = h('input', { type: 'file', accept: '.bin', hidden: true, 'aria-label': 'Polyglot book' });
    file.addEventListener('change', () => {
      const chosen = file.files?.[0];
      if (chosen) void this.openFile(chosen);
      file.value = '';
    });
    const choose = h(
      'button',
      { type: 'button', title: 'A Polyglot book (.bin). It stays in this browser.', onClick: () => file.click() },
      'Open a book…',
    );
    this.element = h(
      'details',
      { class: 'card explorer' },
      this.title,
      this.body,
      this.book,
      h('div', { class: 'explorer-foot' }, choose, file),
    );
    this.element.addEventListener('toggle', () => void this.open());
    app.watch(
      (state) => [state.at, state.tree.startFen, state.mode.kind],
      () => this.show(),
    );
    app.watch(
      (state) => [state.limits.book],
      () => this.name(),
    );
  }

  private name(): void {
    const hasBook = this.app.state.limits.book || this.own;
    this.title.textContent = hasBook ? 'Explorer: your library and the book' : 'Explorer: moves of your library';
  }

  /** Opens a book that the user has chosen or dropped, and keeps it. */
  async openFile(file: File): Promise<void> {
    try {
      await this.setBook(await openBook(file));
    } catch (error) {
      this.app.tell(String((error as Error).message));
    }
  }

  private async setBook(book: BookFile | null): Promise<void> {
    this.own = book;
    this.name();
    this.app.clearNotice();
    // A browser that keeps nothing still shows it.
    await this.app.library.putBook(book).catch(() => {});
    if (book && !this.element.open) this.element.open = true;
    else this.show();
  }

  private async open(): Promise<void> {
    this.index = null;
    if (!this.element.open) return;
    await this.app.saveToLibrary();
    const index: Index = new Map();
    for (const game of await this.app.library.all()) addGame(index, game);
    if (this.own === undefined) {
      const kept = await this.app.library.book().catch(() => null);
      // One that was opened or closed meanwhile is newer.
      if (this.own === undefined) this.own = kept;
    }
    this.index = index;
    this.name();
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

  /** The moves of the book, with their share of its weights. */
  private async showBook(): Promise<void> {
    const { app, own } = this;
    const { tree, at, limits } = app.state;
    this.book.hidden = !limits.book && !own;
    if (this.book.hidden || !this.element.open || this.element.hidden) return;
    const moves = await this.bookMoves().catch(() => null);
    // The board may show something else by now.
    if (!moves || app.state.at !== at || app.state.tree.startFen !== tree.startFen || this.own !== own) return;
    const total = moves.reduce((sum, { weight }) => sum + weight, 0);
    const rows = moves.slice(0, 12).map(({ san, uci, weight }) => {
      const share = total ? weight / total : 0;
      const bar = h('span', { class: 'share' });
      bar.style.setProperty('--share', String(share));
      const text = `${san}: ${Math.round(100 * share)}% of the book’s weight`;
      return h(
        'button',
        { type: 'button', class: 'explorer-move', title: text, onClick: () => app.dispatch({ type: 'play', text: uci }) },
        h('b', {}, san),
        h('span', { class: 'explorer-count' }, `${Math.round(100 * share)}%`),
        bar,
      );
    });
    const heading = h(
      'div',
      { class: 'explorer-book' },
      h('h2', { title: own?.name ?? '' }, own ? `Book: ${own.name}` : 'Book'),
      own && iconButton('close', 'Close the book', () => void this.setBook(null)),
    );
    replace(this.book, heading, ...(rows.length ? rows : [h('p', { class: 'hint' }, 'The book does not know this position.')]));
  }

  /** The server tells the position's key and reads the records that a book of the user has for it. */
  private async bookMoves(): Promise<BookMove[]> {
    const { app, own } = this;
    const at = { start: app.state.tree.start, moves: movesTo(app.state.tree, app.state.at) };
    const { key, moves } = await app.connection.ask<'book'>({ type: 'book', at });
    if (!own) return moves;
    const records = recordsOf(own, key);
    return records.length ? (await app.connection.ask<'book'>({ type: 'book', at, records })).moves : [];
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
      {
        type: 'button',
        class: 'explorer-move',
        title: `${count} ${text}`,
        onClick: () => this.app.dispatch({ type: 'play', text: one.uci }),
      },
      h('b', {}, one.san),
      h('span', { class: 'explorer-count' }, String(count), h('span', { class: 'unseen' }, ` ${text}`)),
      h(
        'span',
        { class: 'chances', 'aria-hidden': 'true' },
        part('win', one.white),
        part('draw', one.draws + one.open),
        part('loss', one.black),
      ),
    );
  }
}
