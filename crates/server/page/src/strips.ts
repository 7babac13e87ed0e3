// The players above and below the board: names, captured men, clocks.

import type { App } from './app';
import { h, man, replace } from './dom';

type Side = 'white' | 'black';

const VALUES: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };
const NAMES: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen' };

export class Strip {
  readonly element = h('div', { class: 'strip' });

  constructor(
    private readonly app: App,
    private readonly place: 'top' | 'bottom',
  ) {
    app.on(['place', 'game', 'board', 'tree', 'clock'], () => this.show());
    this.show();
  }

  private show(): void {
    const { app } = this;
    const side: Side = (app.orientation === 'white') === (this.place === 'bottom') ? 'white' : 'black';
    const { game, tree } = app;
    const name = game?.names()[side === 'white' ? 'White' : 'Black'] ?? tree.headers[side === 'white' ? 'White' : 'Black'] ?? '';
    const { men, lead } = captured(app.at.fen, side);
    const icons = h('span', { class: 'captured cg-wrap' }, ...men.map((kind) => man(NAMES[kind] ?? '', side === 'white' ? 'black' : 'white')));
    const parts: HTMLElement[] = [h('span', { class: `disc ${side}` }), h('span', { class: 'name' }, name || (side === 'white' ? 'White' : 'Black')), icons];
    if (lead > 0) parts.push(h('span', { class: 'lead' }, `+${lead}`));
    if (game?.hasClock) {
      const time = game.time(side);
      const urgent = time < 20_000 ? ' urgent' : '';
      parts.push(h('time', { class: `clock${game.isRunning(side) ? ' running' : ''}${urgent}` }, clockText(time)));
    }
    replace(this.element, ...parts);
  }
}

function clockText(ms: number): string {
  const seconds = ms / 1000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (seconds < 20) return `0:${seconds < 10 ? '0' : ''}${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The men that a side is ahead in kind, and by how many pawns it leads. */
function captured(fen: string, side: Side): { men: string[]; lead: number } {
  const placement = fen.split(' ')[0] ?? '';
  const count = (letter: string) => placement.split(letter).length - 1;
  const men: string[] = [];
  let lead = 0;
  for (const kind of ['q', 'r', 'b', 'n', 'p']) {
    const difference = count(kind.toUpperCase()) - count(kind);
    const ahead = side === 'white' ? difference : -difference;
    lead += ahead * (VALUES[kind] ?? 0);
    for (let index = 0; index < ahead; index++) men.push(kind);
  }
  return { men, lead };
}
