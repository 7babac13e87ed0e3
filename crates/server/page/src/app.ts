// The state of the page and what can be done with it. The parts of the page listen.

import type { Carrier, Link } from './carrier';
import { Connection } from './connection';
import { Game, type GameSetup } from './game';
import type { Answer, Facts, Place, Score, Search, Start, Step } from './protocol';
import { applyTheme, loadSettings, saveSettings, type Settings } from './settings';
import { scoreText, Tree, type Flat, type Move, type Saved } from './tree';

export type Topic = 'said' | 'clock' | 'tree' | 'place' | 'search' | 'settings' | 'link' | 'game' | 'board' | 'review';

const SAVED = 'halcyon.game';
const USUAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export class App {
  readonly connection: Connection;
  readonly settings: Settings = loadSettings();
  readonly limits = { minElo: 800, maxElo: 2800, engine: 'Halcyon' };
  tree = new Tree('usual', USUAL);
  at: Move = this.tree.root;
  orientation: 'white' | 'black' = 'white';
  link: { state: Link; reason: string } = { state: 'connecting', reason: 'Connecting' };
  /** The game against the engine, if there is one. */
  game: Game | null = null;
  /** The search that belongs to the position on the board. */
  search: Search | null = null;
  /** Something to tell, such as why a text was refused. */
  notice = '';

  private searchId = 0;
  private searchFor: Move | null = null;
  private readonly listeners: [Topic[], () => void][] = [];
  private readonly handlers: ((answer: Answer) => void)[] = [];
  private noticeTimer = 0;

  constructor(carrier: Carrier) {
    this.connection = new Connection(carrier);
  }

  /** Calls a function whenever one of the topics has changed. */
  on(topics: Topic[], listener: () => void): void {
    this.listeners.push([topics, listener]);
  }

  /** Hears answers that belong to no search, as those of a review. */
  onAnswer(handler: (answer: Answer) => void): void {
    this.handlers.push(handler);
  }

  emit(...topics: Topic[]): void {
    for (const [wanted, listener] of this.listeners) {
      if (wanted.some((topic) => topics.includes(topic))) listener();
    }
  }

  begin(): void {
    applyTheme(this.settings.theme);
    this.restore();
    this.connection.onLink = (state, reason) => {
      this.link = { state, reason };
      this.emit('link');
      if (state === 'open') void this.arrive();
    };
    this.connection.onAnswer = (answer) => this.hear(answer);
    this.connection.open();
  }

  private hear(answer: Answer): void {
    switch (answer.type) {
      case 'hello':
        Object.assign(this.limits, { minElo: answer.min_elo, maxElo: answer.max_elo, engine: answer.engine });
        break;
      case 'search':
        if (answer.id !== this.searchId) return;
        this.search = answer;
        this.keepEval();
        this.emit('search');
        break;
      case 'best':
        if (answer.id === this.searchId && answer.best) this.game?.answer(answer.best, answer.book);
        break;
      case 'error':
        this.tell(answer.message);
        break;
      default:
    }
    for (const handler of this.handlers) handler(answer);
  }

  /** Keeps the score of the position with its move, for the graph and the list. */
  private keepEval(): void {
    const best = this.search?.lines[0];
    const move = this.searchFor;
    if (!best || !move) return;
    if (!move.eval || move.eval.depth <= best.depth) {
      const isNew = !move.eval;
      move.eval = { score: best.score, wdl: best.wdl, depth: best.depth };
      if (isNew) this.emit('tree');
    }
  }

  /** Says something to the user for a while. */
  tell(text: string): void {
    this.notice = text;
    window.clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => {
      this.notice = '';
      this.emit('link');
    }, 7000);
    this.emit('link');
  }

  place(move: Move = this.at): Place {
    return { start: this.tree.start, moves: this.tree.path(move).map((one) => one.uci) };
  }

  /** Goes to a move of the game. */
  go(move: Move): void {
    if (move !== this.at) {
      this.at = move;
      this.search = null;
      this.emit('place', 'search');
      this.save();
    }
    void this.arrive();
  }

  /** Learns what is possible here and lets the engine look at it. */
  async arrive(): Promise<void> {
    const move = this.at;
    if (!move.facts) {
      try {
        move.facts = await this.connection.facts(this.place(move));
      } catch {
        return;
      }
      if (move !== this.at) return;
      this.emit('place');
    }
    if (this.game?.isOn) this.game.proceed();
    else this.analyse();
  }

  /** Starts or ends the analysis of the position on the board, as the settings want it. */
  analyse(): void {
    // A stop would end the review as well.
    if (this.reviewing) return;
    const wanted = this.settings.engine && !this.at.facts?.outcome;
    if (!wanted || !this.connection.isOpen) {
      this.stop();
      return;
    }
    const { lines, hood } = this.settings;
    this.searchFor = this.at;
    this.searchId = this.connection.start({ type: 'analyse', at: this.place(), lines, hood });
  }

  /** While a game is reviewed, the engine is busy with it. */
  reviewing = false;

  stop(): void {
    this.connection.send({ type: 'stop' });
  }

  /** Lets the engine find the move to play. */
  think(setup: { elo?: number; clock?: { remaining_ms: number; increment_ms: number }; move_time_ms?: number }): void {
    this.searchFor = this.at;
    this.searchId = this.connection.start({ type: 'turn', at: this.place(), hood: this.settings.hood, ...setup });
  }

  /** Whether a search belongs to the position on the board and goes on. */
  get isSearching(): boolean {
    return this.search?.state === 'running' || this.search?.state === 'waiting';
  }

  /** Plays a move, given as UCI text or in algebraic notation. */
  async play(text: string): Promise<boolean> {
    const from = this.at;
    try {
      const at = this.place(from);
      const facts = await this.connection.facts({ ...at, moves: [...at.moves, text] });
      if (from !== this.at || !facts.last) return false;
      this.follow(from, facts.last, facts);
      return true;
    } catch (error) {
      this.tell(String((error as Error).message));
      this.emit('board');
      return false;
    }
  }

  /** Goes to the position after a move that is known to be legal. */
  follow(from: Move, step: Step, facts: Facts | null): void {
    const move = this.tree.add(from, step.uci, step.san, step.fen);
    if (facts) move.facts = facts;
    this.game?.moved(from);
    this.emit('tree');
    this.go(move);
  }

  /** Adds a line of the engine to the game and goes to its end. */
  playLine(steps: Step[]): void {
    let at = this.at;
    for (const step of steps) at = this.tree.add(at, step.uci, step.san, step.fen);
    this.emit('tree');
    this.go(at);
  }

  /** Begins with another start position; fails with a reason for people. */
  async reset(start: Start): Promise<void> {
    const facts = await this.connection.facts({ start, moves: [] });
    const usual = facts.start_fen === USUAL;
    this.replace(new Tree(usual ? 'usual' : start, facts.start_fen));
    this.tree.root.facts = facts;
    this.emit('place');
    void this.arrive();
  }

  /** Puts another game on the board. */
  replace(tree: Tree, at: Move = tree.root): void {
    this.game?.end(null);
    this.game = null;
    this.tree = tree;
    this.at = at;
    this.search = null;
    this.save();
    this.emit('tree', 'place', 'search', 'game', 'review');
  }

  /** Puts a game that the server has read on the board. */
  load(start: Start, startFen: string, headers: Record<string, string>, moves: Flat[]): void {
    const tree = new Tree(startFen === USUAL ? 'usual' : start, startFen);
    tree.headers = headers;
    tree.fill(moves);
    this.replace(tree);
    void this.arrive();
  }

  /** Reads a game of a text and puts it on the board; fails with a reason for people. */
  async readGame(text: string, number: number): Promise<void> {
    const answer = await this.connection.ask({ type: 'game', pgn: text, number });
    if (answer.type !== 'game') return;
    const start: Start = answer.chess960 === null ? { fen: answer.start_fen } : { chess960: answer.chess960 };
    this.load(start, answer.start_fen, answer.headers, answer.moves);
    if (answer.problems[0]) this.tell(answer.problems[0]);
  }

  async newGame(setup: GameSetup): Promise<void> {
    await this.reset(setup.start);
    this.game = new Game(this, setup);
    this.orientation = this.game.color;
    const { White, Black } = this.game.names();
    Object.assign(this.tree.headers, { White, Black, Event: 'Game against Halcyon' });
    this.emit('game', 'board', 'place');
    this.game.proceed();
  }

  set<K extends keyof Settings>(key: K, value: Settings[K]): void {
    this.settings[key] = value;
    saveSettings(this.settings);
    if (key === 'theme') applyTheme(this.settings.theme);
    this.emit('settings');
    if ((key === 'engine' || key === 'lines' || key === 'hood') && !this.game?.isOn) this.analyse();
  }

  flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
    this.emit('board');
  }

  /** Whether the start is one of Chess960 or was set up. */
  get isChess960(): boolean {
    return typeof this.tree.start === 'object' && 'chess960' in this.tree.start;
  }

  /** How the game on the board has ended, or `*`. */
  result(): string {
    const last = this.tree.main().at(-1);
    return this.game?.ending?.result ?? last?.facts?.outcome?.result ?? this.tree.headers['Result'] ?? '*';
  }

  /** The score of the position on the board, as text. */
  scoreText(): string {
    const score: Score | undefined = this.search?.lines[0]?.score ?? this.at.eval?.score;
    return score ? scoreText(score) : '';
  }

  save(): void {
    try {
      sessionStorage.setItem(SAVED, JSON.stringify(this.tree.save(this.at)));
    } catch {
      // The game is only in memory then.
    }
  }

  private restore(): void {
    try {
      const kept = sessionStorage.getItem(SAVED);
      if (!kept) return;
      const { tree, at } = Tree.load(JSON.parse(kept) as Saved);
      this.tree = tree;
      this.at = at;
    } catch {
      sessionStorage.removeItem(SAVED);
    }
  }
}
