// The evaluation of the game as a graph; a click goes to the move.

import type { App } from './app';
import { h, s } from './dom';
import { expectation, number, scoreText, type Move } from './tree';

const WIDTH = 600;
const HEIGHT = 120;

export class Graph {
  readonly element: HTMLElement;
  private readonly drawing = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Evaluation of the game' });
  private moves: Move[] = [];

  constructor(private readonly app: App) {
    this.element = h('section', { class: 'card graph', 'aria-label': 'Graph' }, this.drawing);
    this.drawing.addEventListener('click', (event) => {
      const move = this.under(event as MouseEvent);
      if (move) app.go(move);
    });
    this.drawing.addEventListener('mousemove', (event) => {
      const move = this.under(event as MouseEvent);
      const score = move?.eval ? ` ${scoreText(move.eval.score)}` : '';
      this.element.title = move?.parent ? `${number(move.ply)} ${move.san}${score}` : 'Start';
    });
    app.on(['tree', 'place', 'search', 'game', 'review'], () => this.draw());
    this.draw();
  }

  private under(event: MouseEvent): Move | undefined {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    return this.moves[Math.round(share * (this.moves.length - 1))];
  }

  private x(index: number): number {
    return this.moves.length < 2 ? 0 : (index / (this.moves.length - 1)) * WIDTH;
  }

  private draw(): void {
    const { app } = this;
    this.moves = [app.tree.root, ...app.tree.line(app.at)];
    const points: [number, number, Move][] = [];
    for (const [index, move] of this.moves.entries()) {
      const share = value(move);
      if (share !== null) points.push([this.x(index), HEIGHT * (1 - share), move]);
    }
    const hidden = (app.game?.isOn ?? false) || points.length < 2;
    this.element.hidden = hidden;
    if (hidden) return;
    const path = points.map(([x, y], index) => `${index ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
    const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
    const marks = points
      .filter(([, , move]) => move.judged?.judgement)
      // The drawing is stretched: a circle would not be round, the end of a line is.
      .map(([x, y, move]) => s('path', { d: `M${x.toFixed(1)} ${y.toFixed(1)}h0`, class: `dot ${move.judged?.judgement ?? ''}` }));
    const here = this.x(this.moves.indexOf(app.at));
    this.drawing.replaceChildren(
      s('path', { class: 'area', d: `${path}L${last} ${HEIGHT}L${first} ${HEIGHT}Z` }),
      s('line', { class: 'middle', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      s('path', { class: 'curve', d: path }),
      ...marks,
      s('line', { class: 'here', x1: here, x2: here, y1: 0, y2: HEIGHT }),
    );
  }
}

/** What White may expect after a move, if anybody knows. */
function value(move: Move): number | null {
  const result = move.facts?.outcome?.result;
  if (result) return result === '1-0' ? 1 : result === '0-1' ? 0 : 0.5;
  return move.eval ? expectation(move.eval.wdl) : null;
}
