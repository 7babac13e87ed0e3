// A game against the engine: whose turn it is, the clocks, and how it ends.

import type { App } from './app';
import type { Ending, Start, Step } from './protocol';
import type { Move } from './tree';

export interface GameSetup {
  start: Start;
  color: 'white' | 'black' | 'random';
  /** 0 is full strength. */
  elo: number;
  /** 0 is no clock. */
  minutes: number;
  increment: number;
}

/** The engine shall not answer before the eye has seen the own move. */
const SHORTEST_THOUGHT_MS = 350;

type Side = 'white' | 'black';

export class Game {
  readonly color: Side;
  ending: Ending | null = null;
  isOn = true;
  /** Whether Halcyon's last move was in its book. */
  fromBook = false;
  readonly hasClock: boolean;
  private readonly left: Record<Side, number>;
  private running: { side: Side; since: number } | null = null;
  private asked: Move | null = null;
  private askedAt = 0;
  private timer = 0;

  constructor(
    private readonly app: App,
    readonly setup: GameSetup,
  ) {
    const random = Math.random() < 0.5 ? 'white' : 'black';
    this.color = setup.color === 'random' ? random : setup.color;
    this.hasClock = setup.minutes > 0 || setup.increment > 0;
    const start = Math.max(setup.minutes * 60, setup.increment) * 1000;
    this.left = { white: start, black: start };
    if (this.hasClock) this.timer = window.setInterval(() => this.tick(), 100);
  }

  get level(): string {
    return this.setup.elo === 0 ? 'Halcyon' : `Halcyon ${this.setup.elo}`;
  }

  names(): { White: string; Black: string } {
    const you = 'You';
    return this.color === 'white' ? { White: you, Black: this.level } : { White: this.level, Black: you };
  }

  get opponent(): Side {
    return this.color === 'white' ? 'black' : 'white';
  }

  /** Time left of a side, in milliseconds. */
  time(side: Side): number {
    const spent = this.running?.side === side ? performance.now() - this.running.since : 0;
    return Math.max(0, this.left[side] - spent);
  }

  isRunning(side: Side): boolean {
    return this.running?.side === side;
  }

  /** Whether the position on the board is the one the game has come to. */
  get isAtEnd(): boolean {
    return this.app.at === (this.app.tree.main().at(-1) ?? this.app.tree.root);
  }

  /** A move was made from here: the side that made it gets its increment. */
  moved(from: Move): void {
    if (!this.isOn || !from.facts) return;
    const side = from.facts.turn;
    if (this.running?.side === side) {
      this.left[side] = this.time(side) + this.setup.increment * 1000;
      this.running = null;
    }
  }

  /** Does what is to be done in the position on the board: end, or let the engine move. */
  proceed(): void {
    const { at } = this.app;
    if (!this.isOn || !at.facts || !this.isAtEnd) return;
    if (at.facts.outcome) {
      this.end(at.facts.outcome);
      return;
    }
    const side = at.facts.turn;
    // The clocks begin with the first move.
    if (this.hasClock && at.parent && this.running?.side !== side) {
      this.running = { side, since: performance.now() };
    }
    if (side === this.opponent && this.asked !== at) {
      this.asked = at;
      this.askedAt = performance.now();
      const { elo, increment } = this.setup;
      const clock = { remaining_ms: Math.round(this.time(side)), increment_ms: increment * 1000 };
      this.app.think({ ...(elo ? { elo } : {}), ...(this.hasClock ? { clock } : {}) });
    }
    this.app.emit('game');
  }

  /** Whether the engine was asked for a move and has not made it yet. */
  get isThinking(): boolean {
    return this.asked !== null;
  }

  /** The engine has found its move. */
  answer(step: Step, fromBook: boolean): void {
    const from = this.asked;
    this.fromBook = fromBook;
    const wait = SHORTEST_THOUGHT_MS - (performance.now() - this.askedAt);
    window.setTimeout(() => {
      if (!this.isOn || !from || this.asked !== from) return;
      this.asked = null;
      const shown = this.app.at;
      if (shown === from) this.app.follow(from, step, null);
      else {
        // The player looks at an earlier position: the move is added, the view stays.
        this.moved(from);
        this.app.tree.add(from, step.uci, step.san, step.fen);
        if (this.hasClock) this.running = { side: this.color, since: performance.now() };
        this.app.emit('tree');
      }
    }, Math.max(0, wait));
  }

  /** Takes the last own move back, and the answer to it. */
  takeBack(): void {
    const { app } = this;
    const end = app.tree.main().at(-1) ?? app.tree.root;
    let to: Move | null = end.parent;
    if (to && to.facts && to.facts.turn !== this.color) to = to.parent;
    if (!to) return;
    app.stop();
    this.asked = null;
    this.running = null;
    this.ending = null;
    this.isOn = true;
    for (const child of [...to.children]) app.tree.remove(child);
    app.emit('tree', 'game');
    app.go(to);
  }

  resign(): void {
    this.end({ result: this.color === 'white' ? '0-1' : '1-0', reason: 'you resigned' });
  }

  /** Ends the game; the position is analysed from now on. */
  end(ending: Ending | null): void {
    if (!this.isOn) return;
    if (this.running) this.left[this.running.side] = this.time(this.running.side);
    this.running = null;
    this.isOn = false;
    this.ending = ending;
    window.clearInterval(this.timer);
    this.app.stop();
    if (!ending) return;
    this.app.tree.headers['Result'] = ending.result;
    this.app.save();
    this.app.emit('game', 'place');
    this.app.analyse();
  }

  private tick(): void {
    const side = this.running?.side;
    if (side && this.time(side) <= 0) {
      this.left[side] = 0;
      const result = side === 'white' ? '0-1' : '1-0';
      const reason = side === this.color ? 'your time is up' : 'Halcyon’s time is up';
      this.end({ result, reason });
    }
    this.app.emit('clock');
  }
}
