// Texts from outside: a position, a game, or many games of which one is chosen.

import type { App } from './app';
import { dialog, h, replace } from './dom';
import { initialState } from './state';
import { entryOf } from './storage';
import { fromPgn } from './tree';
import type { GameSummary } from './protocol';
import { mayLeaveGame } from './review';

/** The longest text that the server takes, in bytes of JSON. */
const ROOM = (1 << 20) - 200;
/** With more games than this a field to search for names helps. */
const MANY = 8;

function sizeOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/** The text of a file, as far as the server would take it. */
export async function textOf(file: File): Promise<string> {
  const bytes = await file.slice(0, ROOM).arrayBuffer();
  try {
    // The last letter may be cut in two: as part of a stream it may.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The games at the beginning of a text that there is room for. */
function fitting(text: string): string {
  let part = text;
  for (let size = sizeOf(part); size > ROOM; size = sizeOf(part)) {
    const cut = part.slice(0, Math.floor((part.length * ROOM) / size));
    part = cut.slice(0, Math.max(0, cut.lastIndexOf('\n[Event ')));
  }
  return part;
}

const FEN = /^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/;

/** The position that a text is, without the quotes that it may have been copied with. */
export function fenOf(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^["'`“”]+|["'`“”;]+$/g, '')
    .trim()
    .replace(/^fen\s+/i, '')
    .replace(/^["']|["']$/g, '');
  return FEN.test(bare) && !bare.includes('\n') && !/\smoves\s/.test(bare) ? bare : null;
}

/** Reads a text that is a position or has games; fails with a reason for people. */
export async function readText(app: App, text: string, source = ''): Promise<void> {
  const trimmed = text.trim();
  const fen = fenOf(trimmed);
  if (fen) {
    if (await mayLeaveGame(app, 'Another position')) await app.setUp({ fen });
    return;
  }
  const part = fitting(trimmed);
  if (trimmed && !part) throw new Error('This text is too long for a game');
  const answer = await app.connection.ask<'games'>({ type: 'games', pgn: part });
  if (answer.games.length > 1) {
    choose(app, part, answer.games, answer.left_out, part !== trimmed, source);
    return;
  }
  const number = answer.games[0]?.number ?? 1;
  // Whether there is a game is known before the running one is given up.
  if (answer.games.length === 1 && !(await mayLeaveGame(app, 'Another game'))) return;
  await app.readGame(part, number);
  app.collection = null;
  app.onCollection();
}

/** Opens a game of a collection. */
export async function openOf(app: App, collection: Collection, index: number): Promise<void> {
  const game = collection.games[index];
  if (!game || !(await mayLeaveGame(app, 'Another game'))) return;
  await app.readGame(collection.text, game.number);
  app.collection = { ...collection, index };
  app.onCollection();
}

/** Lets one of the games be chosen. */
function choose(app: App, text: string, games: GameSummary[], leftOut: number, isCut: boolean, source: string): void {
  const collection: Collection = { text, games, index: 0, source };
  const rows = games.map((game, index): [string, HTMLButtonElement] => [
    [game.white, game.black, game.event, game.date].join(' ').toLowerCase(),
    row(game, () => {
      window_.close();
      openOf(app, collection, index).catch((error) => app.tell(String((error as Error).message)));
    }),
  ]);
  const list = h('div', { class: 'games' }, ...rows.map(([, button]) => button));
  const none = h('p', { class: 'hint', hidden: true }, 'No game has these words.');
  const field = h('input', {
    type: 'text',
    class: 'words',
    placeholder: 'Players, event or year',
    'aria-label': 'Search the games',
    spellcheck: 'false',
  });
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const [said, button] of rows) button.hidden = !words.every((word) => said.includes(word));
    none.hidden = rows.some(([, button]) => !button.hidden);
  });
  list.addEventListener('keydown', (event) => walk(list, event));
  field.addEventListener('keydown', (event) => walk(list, event));
  const rest = h('p', { class: 'hint' });
  if (leftOut > 0) replace(rest, `There are ${isCut ? 'at least ' : ''}${leftOut} games more; only the first ${games.length} are listed.`);
  else if (isCut) replace(rest, `The text is too long for the board; these are its first ${games.length} games.`);
  const all = h(
    'button',
    {
      type: 'button',
      onClick: () => {
        all.disabled = true;
        importAll(app, text, games, (done) => (all.textContent = `${done} of ${games.length} added`)).then(
          () => {
            window_.close();
            app.showToast({ label: `${games.length} games were added to the library`, undo: null });
          },
          (error) => app.tell(String((error as Error).message)),
        );
      },
    },
    'Add all to the library',
  );
  const window_ = dialog(
    `${games.length} games`,
    ...(games.length > MANY ? [field] : []),
    list,
    none,
    ...(rest.textContent ? [rest] : []),
    h('footer', {}, all),
  );
  window_.classList.add('wide');
  (games.length > MANY ? field : rows[0]?.[1])?.focus();
}

function row(game: GameSummary, onClick: () => void): HTMLButtonElement {
  const who = (name: string, color: string) =>
    h('span', { class: 'who' }, h('span', { class: `disc ${color}` }), h('strong', {}, name || (color === 'white' ? 'White' : 'Black')));
  const moves = Math.ceil(game.plies / 2);
  const facts = [game.event, game.date.replace(/\.\?\?/g, ''), moves === 1 ? '1 move' : `${moves} moves`].filter(Boolean);
  return h(
    'button',
    { type: 'button', class: 'a-game', onClick },
    h('span', { class: 'nr' }, game.number),
    h('span', { class: 'players' }, who(game.white, 'white'), who(game.black, 'black')),
    h('span', { class: 'result-of' }, game.result.replace(/1\/2/g, '½')),
    h('small', {}, facts.join(' · ')),
  );
}

/** Up and down go from one game to the next. */
function walk(list: HTMLElement, event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const shown = [...list.querySelectorAll<HTMLButtonElement>('button:not([hidden])')];
  const at = shown.indexOf(document.activeElement as HTMLButtonElement);
  shown[Math.min(Math.max(0, at + by), shown.length - 1)]?.focus();
}

/** Games of one text, of which one is on the board. */
export interface Collection {
  text: string;
  games: GameSummary[];
  index: number;
  /** The name of the file. */
  source: string;
}

/** Reads all games of a text into the library. */
async function importAll(app: App, text: string, games: GameSummary[], progress: (done: number) => void): Promise<void> {
  const now = Date.now();
  for (const [index, game] of games.entries()) {
    const answer = await app.connection.ask<'game'>({ type: 'game', pgn: text, number: game.number });
    const id = `${now.toString(36)}-${String(index).padStart(4, '0')}`;
    // The first game of a file is the first of the list.
    const entry = entryOf({ ...initialState(), tree: fromPgn(answer) }, id, now - index);
    if (entry) await app.library.put({ ...entry, opening: entry.opening || (await app.openingOf(entry.tree)) });
    progress(index + 1);
  }
}

/** Buttons for the previous and the next game of a file. */
export class CollectionBar {
  readonly element = h('nav', { class: 'collection', 'aria-label': 'Games of the file', hidden: true });

  constructor(private readonly app: App) {
    app.onCollection = () => this.show();
  }

  private show(): void {
    const { app } = this;
    const { collection } = app;
    this.element.hidden = !collection;
    if (!collection) return;
    const { games, index, source } = collection;
    const step = (label: string, by: number) =>
      h(
        'button',
        {
          type: 'button',
          disabled: !games[index + by],
          onClick: () => void openOf(app, collection, index + by).catch((error) => app.tell(String((error as Error).message))),
        },
        label,
      );
    const list = h(
      'button',
      { type: 'button', onClick: () => choose(app, collection.text, games, 0, false, source) },
      `${index + 1} of ${games.length}`,
    );
    replace(this.element, step('‹ Previous game', -1), list, step('Next game ›', 1));
  }
}
