// Holds the state, carries out what its transitions ask for, and tells the views what has changed.

import { Connection } from './connection';
import { pgnDate } from './pgn';
import type { Facts, Side, Start } from './protocol';
import { applyTheme, readSettings, SETTINGS_KEY, type Settings } from './settings';
import { here, initialState, kept, type GameSetup, type State } from './state';
import { reopened, type Collection, type Place } from './collection';
import { claimBoard, entryOf, idOf, Library, loadBoard, newId, saveBoard, treeOf, watchTabs, type KeptBoard } from './storage';
import type { Transport } from './transport';
import { fromPgn, hasSameMoves, isPass, mainLine, movesTo, newTree, ROOT, type GameNode, type NodeId, type Tree } from './tree';
import { update, type Action } from './update';

const SAVE_MS = 250;
const LIBRARY_MS = 1500;
const NOTICE_MS = 7000;
/** No opening has a name beyond these half-moves. */
const OPENING_PLIES = 36;
/** Nodes of each search that answers “Why?”. */
const WHY_NODES = 50_000;

type Watcher = { select: (state: State) => unknown[]; act: () => void; last: unknown[] };

export interface Toast {
  label: string;
  /** What its button does; a toast without one only tells. */
  undo: (() => void) | null;
}

function storedSettings(): Settings {
  try {
    return readSettings(localStorage.getItem(SETTINGS_KEY));
  } catch {
    return readSettings(null);
  }
}

export class App {
  readonly connection: Connection;
  readonly library = new Library();
  state: State = initialState(storedSettings());
  /** Something to tell, such as why a text was refused. */
  notice = '';
  toast: Toast | null = null;
  /** The game in the library that the board belongs to. */
  gameId = newId();
  /** Called when a notice or toast comes or goes. */
  onMessage: () => void = () => {};
  /** Called when a move has been refused: the board shows the position again. */
  onRefused: () => void = () => {};
  /** Called with every move that is made on the board. */
  onMove: () => void = () => {};
  /** The games of a file, of which one is on the board. */
  collection: Collection | null = null;
  /** Called when the collection has changed. */
  onCollection: () => void = () => {};
  /** Says the score aloud. */
  onSay: () => void = () => {};

  private readonly watchers: Watcher[] = [];
  private owns = true;
  /** The game of the library that is being replaced, and the file that it was from. */
  private replaced: { id: string; collection: Collection | null; place: Place | null } | null = null;
  /** Where in which file the game on the board is, also before the file was fetched from what is kept. */
  private place: Place | null = null;
  /** What is kept of the file: which, and how many of its parts were listed. */
  private keptFile = '';
  private noticeTimer = 0;
  private toastTimer = 0;
  private saveTimer = 0;
  private libraryTimer = 0;

  constructor(transport: Transport) {
    this.connection = new Connection(transport);
  }

  /** Calls a function now, and whenever one of the selected values has changed. */
  watch(select: (state: State) => unknown[], act: () => void): void {
    this.watchers.push({ select, act, last: select(this.state) });
    act();
  }

  start(): void {
    applyTheme(this.state.settings);
    const board = loadBoard();
    if (board) this.restore(board);
    // Nothing brings back the file of a page that is gone.
    if (!board?.place) void this.library.putFile(null).catch(() => {});
    this.connection.onLink = (state, reason) => this.dispatch({ type: 'link', state, reason });
    this.connection.onAnswer = (answer) => this.dispatch({ type: 'answer', answer });
    claimBoard();
    watchTabs(
      () => this.yieldBoard(),
      (board) => {
        if (!this.owns) this.restore(board);
      },
    );
    for (const name of ['focus', 'pointerdown', 'keydown']) window.addEventListener(name, () => this.claim(), true);
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.claim();
      else this.saveNow();
    });
    window.addEventListener('pagehide', () => this.saveNow());
    window.setInterval(() => this.tick(), 100);
    this.connection.open();
  }

  private restore(board: KeptBoard): void {
    const { gameId, place, ...rest } = board;
    this.gameId = gameId;
    void this.restoreFile(place);
    if (this.owns) this.dispatch({ type: 'adopt', kept: rest });
    else {
      // A tab that does not own the board only shows it.
      this.state = { ...this.state, ...rest, search: null };
      this.notify();
    }
  }

  /** Fetches the file that the game on the board is from. */
  private async restoreFile(place: Place | null): Promise<void> {
    const known = this.collection?.file;
    if (!place || known?.id === place.file) {
      this.showCollection(place && known ? { file: known, index: place.index } : null);
      return;
    }
    this.showCollection(null);
    this.place = place;
    const file = await this.library.file(place.file).catch(() => null);
    // Another game may be on the board by now.
    if (this.place !== place) return;
    this.keptFile = file ? `${file.id} ${file.read}` : '';
    this.showCollection(file && { file: reopened(file), index: place.index });
  }

  /** Another tab is used now. */
  private yieldBoard(): void {
    if (!this.owns) return;
    if (this.state.search) this.connection.send({ type: 'stop', id: this.state.search.id });
    if (this.state.mode.kind === 'reviewing') this.connection.send({ type: 'stop', id: this.state.mode.id });
    this.saveNow();
    this.owns = false;
    this.state = { ...this.state, search: null, ...kept(this.state, Date.now()) };
    this.notify();
  }

  private claim(): void {
    if (document.hasFocus()) this.takeBoard();
  }

  /** This tab is used now. */
  private takeBoard(): void {
    if (this.owns) return;
    claimBoard();
    this.owns = true;
    const board = loadBoard();
    if (board) this.restore(board);
  }

  dispatch(action: Action): void {
    if (!this.owns && action.type !== 'link' && action.type !== 'set') {
      // Only what the user does takes the board back.
      if (['answer', 'tick', 'engine-move'].includes(action.type)) return;
      this.claim();
      if (!this.owns) return;
    }
    const before = this.state;
    const { state, effects } = update(before, action, Date.now());
    this.state = state;
    for (const effect of effects) {
      if (effect.type === 'send') {
        if (this.owns) this.connection.send(effect.request);
      } else if (effect.type === 'notice') this.tell(effect.text);
      else if (effect.type === 'toast') this.offerUndo(effect.label);
      else window.setTimeout(() => this.dispatch(effect.action), effect.ms);
    }
    // What was said of a game that is over by now is in the way.
    if (state.mode.kind !== before.mode.kind && !effects.some(({ type }) => type === 'notice')) this.clearNotice();
    if (state.settings !== before.settings) this.saveSettings();
    if (state.tree !== before.tree || state.at !== before.at || state.mode !== before.mode || state.orientation !== before.orientation)
      this.save();
    this.notify();
    if (state.at !== before.at && here(state).parent === before.at) this.onMove();
  }

  private notify(): void {
    for (const watcher of this.watchers) {
      const values = watcher.select(this.state);
      if (values.every((value, index) => value === watcher.last[index])) continue;
      watcher.last = values;
      watcher.act();
    }
  }

  /** Clocks are drawn by those who show them. */
  private tick(): void {
    if (this.owns && this.state.mode.kind === 'playing' && this.state.mode.game.running) this.dispatch({ type: 'tick' });
  }

  /** What comes back belongs to the game of the library that it was taken from. */
  private offerUndo(label: string): void {
    const { id, collection, place } = this.replaced ?? { id: this.gameId, collection: this.collection, place: this.place };
    const undo = () => {
      this.gameId = id;
      if (collection) this.showCollection(collection);
      else void this.restoreFile(place);
      this.dispatch({ type: 'undo' });
      this.hideToast();
    };
    this.showToast({ label, undo });
  }

  /** Says something to the user for a while. */
  tell(text: string): void {
    this.notice = text.slice(0, 1).toUpperCase() + text.slice(1);
    window.clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => this.clearNotice(), NOTICE_MS);
    this.onMessage();
    this.onRefused();
  }

  clearNotice(): void {
    this.notice = '';
    this.onMessage();
  }

  showToast(toast: Toast): void {
    this.toast = toast;
    window.clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => this.hideToast(), 2 * NOTICE_MS);
    this.onMessage();
  }

  hideToast(): void {
    this.toast = null;
    this.onMessage();
  }

  private saveSettings(): void {
    applyTheme(this.state.settings);
    try {
      localStorage.setItem(SETTINGS_KEY, JSON.stringify(this.state.settings));
    } catch {
      // The settings last as long as the page.
    }
  }

  private save(): void {
    if (!this.owns) return;
    if (!this.saveTimer) this.saveTimer = window.setTimeout(() => this.saveNow(), SAVE_MS);
    window.clearTimeout(this.libraryTimer);
    this.libraryTimer = window.setTimeout(() => void this.saveToLibrary(), LIBRARY_MS);
  }

  private saveNow(): void {
    window.clearTimeout(this.saveTimer);
    this.saveTimer = 0;
    if (this.owns) saveBoard({ ...kept(this.state, Date.now()), gameId: this.gameId, place: this.place });
  }

  async saveToLibrary(): Promise<void> {
    const { state, gameId } = this;
    const entry = entryOf(state, gameId, Date.now());
    if (!entry || !this.owns) return;
    // Only positions that were on the board have told what the opening is called.
    const opening = entry.opening || (await this.openingOf(state.tree));
    await this.library.put({ ...entry, opening }).catch(() => {});
  }

  /** The games of a file have come or gone: buttons for the one before and the one after. */
  showCollection(collection: Collection | null): void {
    const { place } = this;
    this.collection = collection;
    this.place = collection && { file: collection.file.id, index: collection.index };
    this.keepFile();
    this.onCollection();
    if (this.place?.file !== place?.file || this.place?.index !== place?.index) this.save();
  }

  /** Keeps the file that a game on the board is from, with the games that are listed so far. */
  keepFile(): void {
    const file = this.collection?.file;
    const what = file ? `${file.id} ${file.read}` : '';
    if (!file || what === this.keptFile || !this.owns) return;
    this.keptFile = what;
    // A browser that keeps nothing still walks through it.
    void this.library.putFile(file).catch(() => {});
  }

  get at(): GameNode {
    return here(this.state);
  }

  set(settings: Partial<Settings>): void {
    this.dispatch({ type: 'set', settings });
  }

  go(node: NodeId): void {
    this.dispatch({ type: 'go', node });
  }

  private facts(start: Start): Promise<Facts> {
    return this.connection.ask<'position'>({ type: 'position', at: { start, moves: [] } });
  }

  /** The name of the opening of a game, if it has one. */
  async openingOf(tree: Tree): Promise<string> {
    const moves = movesTo(tree, mainLine(tree).slice(0, OPENING_PLIES).at(-1) ?? ROOT);
    const facts = await this.connection.ask<'position'>({ type: 'position', at: { start: tree.start, moves } }).catch(() => null);
    return facts?.opening ? `${facts.opening.eco} ${facts.opening.name}` : '';
  }

  /** Puts a position on the board; fails with a reason for people. */
  async setUp(start: Start): Promise<void> {
    const facts = await this.facts(start);
    await this.openRead(newTree(start, facts.start_fen), 'A position was set up', facts);
  }

  /** Puts a game on the board. */
  async open(tree: Tree, label: string, more: { facts?: Facts; gameId?: string; at?: NodeId } = {}): Promise<void> {
    await this.saveToLibrary();
    const { gameId, facts, at } = more;
    this.replace(gameId ?? newId(), () =>
      this.dispatch({ type: 'open', tree, label, ...(facts ? { facts } : {}), ...(at === undefined ? {} : { at }) }),
    );
  }

  /** Puts another game on the board; an undo brings back the one before with its file. */
  private replace(gameId: string, act: () => void): void {
    // A file that is dropped needs no focus.
    this.takeBoard();
    this.replaced = { id: this.gameId, collection: this.collection, place: this.place };
    this.gameId = gameId;
    this.showCollection(null);
    this.clearNotice();
    act();
    this.replaced = null;
  }

  /** Puts a game that was read on the board: as it was left, if it was read before. */
  private async openRead(tree: Tree, label: string, facts?: Facts): Promise<void> {
    await this.saveToLibrary();
    const id = idOf(tree);
    const known = await this.library.get(id).catch(() => null);
    const kept = known && treeOf(known);
    const isKept = kept !== null && hasSameMoves(kept, tree);
    const gameId = known && !isKept ? newId() : id;
    await this.open(isKept ? kept : tree, label, { gameId, ...(facts ? { facts } : {}) });
    if (isKept && idOf(kept) !== id) this.tell('You have had this game before. It is shown as you left it.');
  }

  /** Reads a game of a text and puts it on the board; fails with a reason for people. */
  async readGame(text: string, number: number): Promise<void> {
    const answer = await this.connection.ask<'game'>({ type: 'game', pgn: text, number });
    await this.openRead(fromPgn(answer), 'Another game was opened');
    if (answer.problems[0]) this.tell(answer.problems[0]);
  }

  /** Starts a game against the engine; fails with a reason for people. */
  async newGame(setup: GameSetup): Promise<void> {
    const facts = await this.facts(setup.start);
    const random: Side = Math.random() < 0.5 ? 'white' : 'black';
    const color = setup.color === 'none' ? null : setup.color === 'random' ? random : setup.color;
    await this.saveToLibrary();
    const tree = newTree(setup.start, facts.start_fen);
    this.replace(newId(), () => this.dispatch({ type: 'new-game', tree, facts, setup, color, date: pgnDate(new Date()) }));
  }

  /** Asks the coach about the move on the board: why is it bad, or is it not? */
  async why(id: NodeId = this.state.at): Promise<void> {
    const { tree, mode } = this.state;
    const node = tree.nodes[id];
    if (!node || node.parent === null || isPass(node) || (mode.kind !== 'analysing' && mode.kind !== 'over') || this.state.asking !== null)
      return;
    this.dispatch({ type: 'asking', node: id });
    try {
      const at = { start: tree.start, moves: movesTo(tree, node.parent) };
      const { lesson } = await this.connection.ask<'explain'>({ type: 'explain', at, mv: node.uci, nodes: WHY_NODES });
      this.dispatch({ type: 'lesson', node: id, fen: node.fen, lesson });
    } catch (error) {
      this.tell(String((error as Error).message));
    }
    this.dispatch({ type: 'asking', node: null });
  }

  /** Whether the board holds the start position and nothing else. */
  get isEmpty(): boolean {
    return this.state.tree.nextId === 1 && this.state.at === ROOT;
  }
}
