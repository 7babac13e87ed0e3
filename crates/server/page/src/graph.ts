// The evaluation of the game as a graph; a click goes to the move.

import type { App } from './app';
import { h, s } from './dom';
import { expectation, lineThrough, moveNumber, nodeOf, ROOT, scoreText, type GameNode } from './tree';

const WIDTH = 600;
const HEIGHT = 120;

export class Graph {
  readonly element: HTMLElement;
  private readonly drawing = s('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': 'Evaluation of the game',
  });
  private moves: GameNode[] = [];

  constructor(private readonly app: App) {
    this.element = h('section', { class: 'card graph', 'aria-label': 'Graph' }, this.drawing);
    this.drawing.addEventListener('click', (event) => {
      const move = this.under(event as MouseEvent);
      if (move) app.go(move.id);
    });
    this.drawing.addEventListener('mousemove', (event) => {
      const move = this.under(event as MouseEvent);
      const score = move?.eval ? ` ${scoreText(move.eval.score)}` : '';
      this.element.title = move && move.id !== ROOT ? `${moveNumber(move.ply)} ${move.san}${score}` : 'Start';
    });
    app.watch(
      (state) => [state.tree, state.at, state.mode.kind],
      () => this.draw(),
    );
  }

  private under(event: MouseEvent): GameNode | undefined {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    return this.moves[Math.round(share * (this.moves.length - 1))];
  }

  private x(index: number): number {
    return this.moves.length < 2 ? 0 : (index / (this.moves.length - 1)) * WIDTH;
  }

  private draw(): void {
    const { tree, at, mode } = this.app.state;
    this.moves = [ROOT, ...lineThrough(tree, at)].map((id) => nodeOf(tree, id));
    // Positions that nobody has looked at leave a gap.
    const parts: [number, number, GameNode][][] = [[]];
    for (const [index, move] of this.moves.entries()) {
      const share = value(move);
      if (share === null) parts.push([]);
      else parts.at(-1)?.push([this.x(index), HEIGHT * (1 - share), move]);
    }
    const points = parts.flat();
    const curves = parts.filter((part) => part.length > 1);
    // Single points say nothing that the list does not say.
    const hidden = mode.kind === 'playing' || curves.length === 0;
    this.element.hidden = hidden;
    if (hidden) return;
    const path = (part: [number, number, GameNode][]) =>
      part.map(([x, y], index) => `${index ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
    const dot = ([x, y, move]: [number, number, GameNode], name: string) =>
      s('path', { d: `M${x.toFixed(1)} ${y.toFixed(1)}h0`, class: `dot ${name}`, 'data-ply': move.ply });
    const lonely = parts.filter((part) => part.length === 1).flat();
    const here = this.x(this.moves.findIndex((move) => move.id === at));
    const ground = (part: [number, number, GameNode][]) => `M${part[0]?.[0]} 0H${part.at(-1)?.[0]}V${HEIGHT}H${part[0]?.[0]}Z`;
    this.drawing.replaceChildren(
      // Behind a gap there is nothing, neither White's part nor Black's.
      ...curves.map((part) => s('path', { class: 'ground', d: ground(part) })),
      ...curves.map((part) => s('path', { class: 'area', d: `${path(part)}L${part.at(-1)?.[0]} ${HEIGHT}L${part[0]?.[0]} ${HEIGHT}Z` })),
      s('line', { class: 'middle', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      ...curves.map((part) => s('path', { class: 'curve', d: path(part) })),
      ...lonely.map((point) => dot(point, 'lonely')),
      // The drawing is stretched: a circle would not be round, the end of a line is.
      ...points.filter(([, , move]) => move.judged?.judgement).map((point) => dot(point, point[2].judged?.judgement ?? '')),
      s('line', { class: 'here', x1: here, x2: here, y1: 0, y2: HEIGHT }),
    );
  }
}

/** What White may expect after a move, if anybody knows. */
function value(move: GameNode): number | null {
  const result = move.facts?.outcome?.result;
  if (result) return result === '1-0' ? 1 : result === '0-1' ? 0 : 0.5;
  if (move.san.endsWith('#')) return move.ply % 2 === 1 ? 1 : 0;
  return move.eval ? expectation(move.eval) : null;
}
