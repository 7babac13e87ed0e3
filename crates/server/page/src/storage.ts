// What the browser keeps: the board as it stands, and a library of games. Nothing leaves the browser.

import type { BookFile } from './book';
import type { GameFile, KeptFile, Place } from './collection';
import type { Memory } from './exercises';
import { writePgn } from './pgn';
import { resultOf, type Kept, type State } from './state';
import { mainEnd, mainLine, nodeOf, pack, path, ROOT, unpack, type Tree } from './tree';

const STATE_KEY = 'halcyon.board';
const OWNER_KEY = 'halcyon.tab';
const VERSION = 1;
/** The key of the one book that is kept. */
const BOOK = 'explorer';
/** The key of the one file that is kept, and the longest text of one. */
const FILE = 'opened';
const MAX_FILE = 64 << 20;

/** Tabs share one board; the one that was used last owns it. */
export const TAB = Math.random().toString(36).slice(2);

/** The board as it is kept: the game, its place in the library, and that in the file which it is from. */
export type KeptBoard = Kept & { gameId: string; place: Place | null };

/** A game of the library. */
export interface LibraryGame {
  id: string;
  updated: number;
  white: string;
  black: string;
  result: string;
  event: string;
  date: string;
  opening: string;
  plies: number;
  /** Accuracy of both sides, if the game was reviewed. */
  accuracy: [number | null, number | null] | null;
  pgn: string;
  /** The moves with all that is known about them, as text; earlier versions kept them as they are. */
  tree: string | Tree;
}

const trees = new WeakMap<Pick<LibraryGame, 'tree'>, Tree>();

/** The moves of a game of the library. */
export function treeOf(game: Pick<LibraryGame, 'tree'>): Tree {
  const known = trees.get(game) ?? (typeof game.tree === 'string' ? unpack(game.tree) : game.tree);
  trees.set(game, known);
  return known;
}

/** An id that nothing else has. */
export function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}

/** The id of a game that was read: the same text is the same game, however often it is read. */
export function idOf(tree: Tree): string {
  const text = writePgn(tree, tree.headers['Result'] ?? '*');
  let [one, two] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < text.length; index++) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193);
    two = Math.imul(two ^ (two >>> 15) ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return `text-${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}`;
}

export function saveBoard(kept: KeptBoard): void {
  try {
    localStorage.setItem(STATE_KEY, JSON.stringify({ version: VERSION, ...kept }));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The board as it was kept, if it makes sense. */
export function loadBoard(text = read(STATE_KEY)): KeptBoard | null {
  try {
    const found = JSON.parse(text ?? 'null') as ({ version: number } & KeptBoard) | null;
    if (found?.version !== VERSION || !found.tree.nodes[found.at] || !found.tree.nodes[ROOT]) return null;
    mainLine(found.tree);
    const { tree, at, orientation, mode, gameId, place } = found;
    // Earlier versions did not keep files.
    return { tree, at, orientation, mode, gameId, place: place ?? null };
  } catch {
    return null;
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Makes this tab the owner of the board. */
export function claimBoard(): void {
  try {
    localStorage.setItem(OWNER_KEY, TAB);
  } catch {
    // Without storage every tab has a board of its own.
  }
}

/** Calls a function when another tab takes the board over, or changes it. */
export function watchTabs(taken: () => void, changed: (kept: KeptBoard) => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === OWNER_KEY && event.newValue && event.newValue !== TAB) taken();
    const board = event.key === STATE_KEY ? loadBoard(event.newValue) : null;
    if (board) changed(board);
  });
}

/** The entry of the library for the game on the board; none for an empty one. */
export function entryOf(state: State, id: string, now: number): LibraryGame | null {
  const { tree } = state;
  // An exercise is no game.
  if (state.mode.kind === 'training') return null;
  if (tree.nextId === 1 && tree.start === 'usual') return null;
  const text = (name: string) => (/[^?.\s]/.test(tree.headers[name] ?? '') ? (tree.headers[name] ?? '') : '');
  const named = [...path(tree, mainEnd(tree))]
    .reverse()
    .map((one) => nodeOf(tree, one).facts?.opening)
    .find(Boolean);
  const result = resultOf(state);
  const { review } = tree;
  return {
    id,
    updated: now,
    white: text('White'),
    black: text('Black'),
    result,
    event: text('Event'),
    date: text('Date'),
    // A code alone tells people little: whoever has no name asks for one.
    opening: named ? `${named.eco} ${named.name}` : text('Opening') ? `${text('ECO')} ${text('Opening')}`.trim() : '',
    plies: mainLine(tree).length,
    accuracy: review ? [review.white.accuracy, review.black.accuracy] : null,
    pgn: writePgn(tree, result),
    tree: pack(tree),
  };
}

/** The games that were played, read or analysed here. */
export class Library {
  private readonly database: Promise<IDBDatabase | null>;

  constructor() {
    this.database = new Promise((resolve) => {
      try {
        const request = indexedDB.open('halcyon', 4);
        request.onupgradeneeded = ({ oldVersion }) => {
          if (oldVersion < 1) request.result.createObjectStore('games', { keyPath: 'id' }).createIndex('updated', 'updated');
          if (oldVersion < 2) request.result.createObjectStore('memories', { keyPath: 'key' });
          if (oldVersion < 3) request.result.createObjectStore('books', { keyPath: 'id' });
          request.result.createObjectStore('files', { keyPath: 'key' });
        };
        request.onsuccess = () => {
          // A page of a newer version must not have to wait for this one.
          request.result.onversionchange = () => request.result.close();
          resolve(request.result);
        };
        request.onerror = () => resolve(null);
      } catch {
        resolve(null);
      }
    });
  }

  private async run<T>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
    name: 'games' | 'memories' | 'books' | 'files' = 'games',
  ): Promise<T | null> {
    const database = await this.database;
    if (!database) return null;
    return new Promise((resolve, reject) => {
      const request = act(database.transaction(name, mode).objectStore(name));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The library cannot be used'));
    });
  }

  async put(game: LibraryGame): Promise<void> {
    await this.run('readwrite', (store) => store.put(game));
  }

  /** The ids of all games. */
  async ids(): Promise<Set<string>> {
    return new Set(((await this.run('readonly', (store) => store.getAllKeys())) ?? []).map(String));
  }

  async get(id: string): Promise<LibraryGame | null> {
    return (await this.run<LibraryGame | undefined>('readonly', (store) => store.get(id))) ?? null;
  }

  async delete(id: string): Promise<void> {
    await this.run('readwrite', (store) => store.delete(id));
  }

  /** How well an exercise is remembered; nothing if it was never done. */
  async memory(key: string): Promise<Memory | undefined> {
    return (await this.run<Memory | undefined>('readonly', (store) => store.get(key), 'memories')) ?? undefined;
  }

  async memories(): Promise<Memory[]> {
    return (await this.run<Memory[]>('readonly', (store) => store.getAll(), 'memories')) ?? [];
  }

  async putMemory(memory: Memory): Promise<void> {
    await this.run('readwrite', (store) => store.put(memory), 'memories');
  }

  /** The opening book that was opened last, if it was not closed. */
  async book(): Promise<BookFile | null> {
    return (await this.run<BookFile | undefined>('readonly', (store) => store.get(BOOK), 'books')) ?? null;
  }

  async putBook(book: BookFile | null): Promise<void> {
    if (book) await this.run('readwrite', (store) => store.put({ id: BOOK, ...book }), 'books');
    else await this.run('readwrite', (store) => store.delete(BOOK), 'books');
  }

  /** The file with many games that was opened last, if it is the one that is asked for. */
  async file(id: string): Promise<KeptFile | null> {
    const kept = await this.run<KeptFile | undefined>('readonly', (store) => store.get(FILE), 'files');
    return kept?.id === id ? kept : null;
  }

  /** Keeps a file instead of the one before it; none, and none that is too long, is kept as nothing. */
  async putFile(file: GameFile | null): Promise<void> {
    const length = file?.parts.reduce((sum, part) => sum + part.length, 0) ?? 0;
    if (!file || length > MAX_FILE) {
      await this.run('readwrite', (store) => store.delete(FILE), 'files');
      return;
    }
    const { id, parts, games, read, tooLong } = file;
    await this.run('readwrite', (store) => store.put({ key: FILE, id, parts, games, read, tooLong }), 'files');
  }

  /** All games, the last used first. */
  async all(): Promise<LibraryGame[]> {
    const games = (await this.run<LibraryGame[]>('readonly', (store) => store.getAll())) ?? [];
    return games.sort((one, two) => two.updated - one.updated);
  }
}
