// The players above and below the board: names, captured pieces, clocks.

import type { App } from './app';
import { h, pieceElement, replace } from './dom';
import type { Side } from './protocol';
import { gameOf, here, shownFen, sideToMove, timeLeft } from './state';
import { mainEnd } from './tree';

const VALUES: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };
const NAMES: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen' };

export class Strip {
  readonly element = h('div', { class: 'strip' });
  private readonly clock = h('time', { class: 'clock', hidden: true });

  constructor(
    private readonly app: App,
    private readonly place: 'top' | 'bottom',
  ) {
    app.watch(
      (state) => [state.at, state.mode, state.orientation, state.tree.headers, state.tree.startFen, here(state).clock, state.peek],
      () => this.show(),
    );
    window.setInterval(() => this.tick(), 100);
  }

  private get side(): Side {
    return (this.app.state.orientation === 'white') === (this.place === 'bottom') ? 'white' : 'black';
  }

  private show(): void {
    const { state } = this.app;
    const { side } = this;
    const name = state.tree.headers[side === 'white' ? 'White' : 'Black'] ?? '';
    const known = /[^?]/.test(name) ? name : side === 'white' ? 'White' : 'Black';
    const { pieces, lead } = captured(shownFen(state), side);
    const icons = h(
      'span',
      { class: 'captured cg-wrap' },
      ...pieces.map((kind) => pieceElement(NAMES[kind] ?? '', side === 'white' ? 'black' : 'white')),
    );
    const parts: HTMLElement[] = [h('span', { class: `disc ${side}` }), h('span', { class: 'name', title: known }, known), icons];
    if (lead > 0) parts.push(h('span', { class: 'lead' }, `+${lead}`));
    parts.push(this.clock);
    replace(this.element, ...parts);
    this.tick();
  }

  /** Shows the clock of the game, or the time that was written into it. */
  private tick(): void {
    const { state } = this.app;
    const { side, clock } = this;
    const game = gameOf(state);
    if (game?.hasClock && (state.mode.kind === 'playing' || state.at === mainEnd(state.tree))) {
      const time = timeLeft(game, side, Date.now());
      const urgent = time < 20_000 ? ' urgent' : '';
      clock.hidden = false;
      clock.className = `clock${game.running?.side === side ? ' running' : ''}${urgent}`;
      clock.textContent = clockText(time);
      return;
    }
    const written = writtenClock(this.app, side);
    clock.hidden = written === null;
    clock.className = 'clock';
    if (written !== null) clock.textContent = written;
  }
}

/** The time that a side had after its last move, as the game's text has it. */
function writtenClock({ state }: App, side: Side): string | null {
  for (let node = here(state), steps = 0; steps < 2; steps++) {
    if (sideToMove(state.tree, node.id) !== side && node.clock) return node.clock.replace(/^0:(\d\d:)/, '$1').replace(/^0(\d:)/, '$1');
    const parent = node.parent === null ? undefined : state.tree.nodes[node.parent];
    if (!parent) return null;
    node = parent;
  }
  return null;
}

export function clockText(ms: number): string {
  const seconds = ms / 1000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (seconds < 20) return `0:${seconds < 10 ? '0' : ''}${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The pieces that a side is ahead in kind, and by how many pawns it leads. */
function captured(fen: string, side: Side): { pieces: string[]; lead: number } {
  const placement = fen.split(' ')[0] ?? '';
  const count = (letter: string) => placement.split(letter).length - 1;
  const pieces: string[] = [];
  let lead = 0;
  for (const kind of ['q', 'r', 'b', 'n', 'p']) {
    const difference = count(kind.toUpperCase()) - count(kind);
    const ahead = side === 'white' ? difference : -difference;
    lead += ahead * (VALUES[kind] ?? 0);
    for (let index = 0; index < ahead; index++) pieces.push(kind);
  }
  return { pieces, lead };
}
