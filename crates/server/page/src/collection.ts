// Files with many games: cut into parts that the server takes, listed, walked through, and added to the
// library as a whole.

import type { App } from './app';
import { dialog, h, replace } from './dom';
import type { GameSummary } from './protocol';
import { mayLeaveGame } from './review';
import { initialState } from './state';
import { entryOf, idOf, newId } from './storage';
import { fromPgn } from './tree';

/** The longest text that the server takes, in bytes of JSON. */
const ROOM = (1 << 20) - 200;
/** Parts are short: a game is asked for with the part that it is in. */
const PART = 1 << 16;
/** With more games than this a field to search for names helps. */
const MANY = 8;
/** Rows that are drawn at once. */
const SHOWN = 500;
/** Games that are read into the library at the same time. */
const TOGETHER = 16;

/** A game of a file. */
export interface Listed extends GameSummary {
  /** The part that it is in; `number` counts there. */
  part: number;
}

/** A text with many games, as it is kept. */
export interface KeptFile {
  id: string;
  /** The text, in parts with whole games. */
  parts: readonly string[];
  games: Listed[];
  /** Parts whose games are listed. */
  read: number;
  /** Games that are longer than the server takes. */
  tooLong: number;
}

/** A text with many games. */
export interface GameFile extends KeptFile {
  /** The reading of the rest, while it goes on. */
  reading: Promise<void> | null;
  /** Whether nobody wants the rest any more. */
  isDropped: boolean;
  /** Called when more games are listed. */
  onRead: () => void;
}

/** A file of which one game is on the board. */
export interface Collection {
  file: GameFile;
  index: number;
}

/** Which game of which file. */
export interface Place {
  file: string;
  index: number;
}

/** The games of a text, of which those of the first part are listed. */
export function gameFile(parts: readonly string[], games: GameSummary[], tooLong: number): GameFile {
  return reopened({ id: newId(), parts, games: listed(games, 0), read: 1, tooLong });
}

/** A file that was kept. */
export function reopened(kept: KeptFile): GameFile {
  return { ...kept, reading: null, isDropped: false, onRead: () => {} };
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/** Cuts a text into parts with whole games; a game that the server would not take is left out. */
export function partsOf(text: string): { parts: string[]; tooLong: number } {
  const parts: string[] = [];
  let [part, size, tooLong] = ['', 0, 0];
  const take = (game: string) => {
    const own = sizeOf(game);
    if (own > ROOM) {
      tooLong += 1;
      return;
    }
    if (part && size + own > PART) {
      parts.push(part);
      [part, size] = ['', 0];
    }
    part = part ? `${part}\n${game}` : game;
    size += own;
  };
  for (const game of text.split(/\n(?=\[Event )/)) {
    // Not every file has this tag.
    if (game.length > PART) game.split(/\n\s*\n(?=\[)/).forEach((one) => take(`${one}\n`));
    else take(game);
  }
  if (part) parts.push(part);
  return { parts, tooLong };
}

function listed(games: GameSummary[], part: number): Listed[] {
  return games.map((game) => ({ ...game, part }));
}

/** Lists the games of a file that are not listed yet; fails with a reason for people. */
function readOn(app: App, file: GameFile): Promise<void> {
  file.reading ??= readRest(app, file).finally(() => (file.reading = null));
  return file.reading;
}

/** Lists the games of all parts, as long as anybody wants them. */
async function readRest(app: App, file: GameFile): Promise<void> {
  const part = file.read;
  const pgn = file.parts[part];
  if (pgn === undefined || file.isDropped) return;
  const { games } = await app.connection.ask<'games'>({ type: 'games', pgn });
  file.games.push(...listed(games, part));
  file.read = part + 1;
  file.onRead();
  if (app.collection?.file === file) {
    app.onCollection();
    if (file.read === file.parts.length) app.keepFile();
  }
  return readRest(app, file);
}

/** Opens a game of a file. */
export async function openOf(app: App, file: GameFile, index: number): Promise<void> {
  const game = file.games[index];
  if (!game || !(await mayLeaveGame(app, 'Another game'))) return;
  await app.readGame(file.parts[game.part] ?? '', game.number);
  app.showCollection({ file, index });
}

/** Lets one of the games be chosen, or all be added to the library. */
export function choose(app: App, file: GameFile): void {
  const { games, parts } = file;
  const fail = (error: unknown) => app.tell(String((error as Error).message));
  let [isOpen, isChosen] = [true, false];
  const words = () => field.value.toLowerCase().split(/\s+/);
  const fits = (game: Listed, wanted: string[]) => {
    const said = [game.white, game.black, game.event, game.date].join(' ').toLowerCase();
    return wanted.every((word) => said.includes(word));
  };
  const list = h('div', { class: 'games' });
  const none = h('p', { class: 'hint', hidden: true }, 'No game has these words.');
  const rest = h('p', { class: 'hint', role: 'status' });
  const field = h('input', {
    type: 'text',
    class: 'words',
    placeholder: 'Players, event or year',
    'aria-label': 'Search the games',
    spellcheck: 'false',
  });
  const rowOf = (game: Listed, index: number) =>
    row(game, index + 1, () => {
      isChosen = true;
      window_.close();
      openOf(app, file, index).catch(fail);
    });
  let drawn = 0;
  let found = 0;
  /** Adds the rows of games that were listed since the last time. */
  const draw = () => {
    const wanted = words();
    for (; drawn < games.length; drawn++) {
      const game = games[drawn];
      if (!game || !fits(game, wanted)) continue;
      if (found < SHOWN) list.append(rowOf(game, drawn));
      found += 1;
    }
    none.hidden = found > 0;
    const isReading = file.read < parts.length;
    const said = [
      found > SHOWN ? `The first ${SHOWN} of ${found} games are listed: search for the others.` : '',
      isReading ? `Reading the file: ${Math.floor((100 * file.read) / parts.length)}%` : '',
      file.tooLong > 0 ? `Too long for the board: ${file.tooLong === 1 ? 'one game' : `${file.tooLong} games`}.` : '',
    ];
    rest.textContent = said.filter(Boolean).join(' ');
    rest.hidden = !rest.textContent;
    const title = games.length === 1 ? '1 game' : `${games.length} games`;
    window_.setAttribute('aria-label', title);
    replace(heading, title);
  };
  field.addEventListener('input', () => {
    replace(list);
    [drawn, found] = [0, 0];
    draw();
  });
  list.addEventListener('keydown', (event) => walk(list, event));
  field.addEventListener('keydown', (event) => walk(list, event));
  const all = h(
    'button',
    {
      type: 'button',
      onClick: () => {
        all.disabled = true;
        const progress = (done: number) => (all.textContent = `${done} of ${games.length} read`);
        // What is said stands on the page, behind the dialog.
        const done = importAll(app, file, () => isOpen, progress).finally(() => window_.close());
        done.then((label) => app.showToast({ label, undo: null }), fail);
      },
    },
    'Add all to the library',
  );
  const isLong = games.length > MANY || parts.length > 1;
  const window_ = dialog('', ...(isLong ? [field] : []), list, none, rest, h('footer', {}, all));
  const heading = window_.querySelector('h2') ?? window_;
  window_.classList.add('wide');
  window_.addEventListener('close', () => {
    isOpen = false;
    file.isDropped = !isChosen && app.collection?.file !== file;
    file.onRead = () => {};
  });
  draw();
  (isLong ? field : list.querySelector('button'))?.focus();
  file.isDropped = false;
  file.onRead = draw;
  readOn(app, file).catch(fail);
}

function row(game: GameSummary, number: number, onClick: () => void): HTMLButtonElement {
  const who = (name: string, color: string) =>
    h('span', { class: 'who' }, h('span', { class: `disc ${color}` }), h('strong', {}, name || (color === 'white' ? 'White' : 'Black')));
  const moves = Math.ceil(game.plies / 2);
  const facts = [game.event, game.date.replace(/\.\?\?/g, ''), moves === 1 ? '1 move' : `${moves} moves`].filter(Boolean);
  return h(
    'button',
    { type: 'button', class: 'a-game', onClick },
    h('span', { class: 'nr' }, number),
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
  const shown = [...list.querySelectorAll<HTMLButtonElement>('button')];
  const at = shown.indexOf(document.activeElement as HTMLButtonElement);
  shown[Math.min(Math.max(0, at + by), shown.length - 1)]?.focus();
}

/** Reads all games of a file into the library; what was done, for people. Those that are there stay. */
async function importAll(app: App, file: GameFile, isWanted: () => boolean, progress: (done: number) => void): Promise<string> {
  const { games } = file;
  const known = await app.library.ids();
  const now = Date.now();
  let [added, there, unread] = [0, 0, 0];
  const take = async (game: Listed, index: number): Promise<void> => {
    const pgn = file.parts[game.part] ?? '';
    const answer = await app.connection.ask<'game'>({ type: 'game', pgn, number: game.number }).catch(() => null);
    // One game that cannot be shown does not keep the others out.
    if (!answer && app.state.link.state !== 'open') throw new Error('The connection was lost');
    const tree = answer && fromPgn(answer);
    const id = tree && idOf(tree);
    // The first game of a file is the first of the list.
    const entry = tree && id && entryOf({ ...initialState(), tree }, id, now - index);
    if (!entry) unread += 1;
    else if (known.has(entry.id)) there += 1;
    else {
      known.add(entry.id);
      await app.library.put({ ...entry, opening: entry.opening || (await app.openingOf(tree)) });
      added += 1;
    }
  };
  for (let done = 0; isWanted(); ) {
    const batch = games.slice(done, done + TOGETHER);
    if (batch.length < TOGETHER && file.read < file.parts.length) {
      // The rest is being listed; if that fails, so does this.
      if (!file.reading) break;
      await Promise.race([file.reading, new Promise((resolve) => setTimeout(resolve, 50))]);
      continue;
    }
    if (batch.length === 0) break;
    const first = done;
    await Promise.all(batch.map((game, index) => take(game, first + index)));
    done += batch.length;
    progress(done);
  }
  const count = (number: number) => (number === 1 ? '1 game was' : `${number} games were`);
  const parts = [`${count(added)} added to the library`];
  if (there) parts.push(`${count(there)} there already`);
  if (unread) parts.push(`${count(unread)} empty or too long`);
  return parts.join(', ');
}

/** Buttons for the previous and the next game of a file. */
export class CollectionBar {
  readonly element = h('nav', { class: 'collection', 'aria-label': 'Games of the file', hidden: true });

  constructor(private readonly app: App) {
    app.onCollection = () => this.show();
    app.watch(
      (state) => [state.link.state],
      () => this.readOn(),
    );
  }

  /** A file that was kept before all of its games were listed is read on as soon as there is a connection. */
  private readOn(): void {
    const { app } = this;
    const file = app.collection?.file;
    if (!file || file.reading || file.read === file.parts.length || app.state.link.state !== 'open') return;
    readOn(app, file).catch((error) => app.tell(String((error as Error).message)));
  }

  private show(): void {
    const { app } = this;
    const { collection } = app;
    this.element.hidden = !collection;
    if (!collection) return;
    const { file, index } = collection;
    this.readOn();
    const step = (label: string, by: number) =>
      h(
        'button',
        {
          type: 'button',
          disabled: !file.games[index + by],
          onClick: () => void openOf(app, file, index + by).catch((error) => app.tell(String((error as Error).message))),
        },
        label,
      );
    const title = 'All games of the file. It is kept in this browser as long as one of them is on the board.';
    const list = h('button', { type: 'button', title, onClick: () => choose(app, file) }, `${index + 1} of ${file.games.length}`);
    replace(this.element, step('‹ Previous game', -1), list, step('Next game ›', 1));
  }
}
