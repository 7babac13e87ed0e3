// What a screen reader says: moves as they are made, the score when it is asked for (S).

import type { App } from './app';
import { h } from './dom';
import type { Score } from './protocol';
import { here, shownSearch } from './state';
import { ROOT, type NodeId } from './tree';

const PIECES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** A move as it is spoken. */
export function spoken(san: string): string {
  if (san === '--') return 'passes';
  if (san.startsWith('O-O-O')) return 'castles queenside' + ending(san);
  if (san.startsWith('O-O')) return 'castles kingside' + ending(san);
  const words: string[] = [];
  for (const letter of san.replace(/[+#]/g, '')) {
    if (PIECES[letter]) words.push(PIECES[letter] ?? '');
    else if (letter === 'x') words.push('takes');
    else if (letter === '=') words.push('becomes');
    else words.push(letter);
  }
  return words.join(' ') + ending(san);
}

function ending(san: string): string {
  return san.endsWith('#') ? ', mate' : san.endsWith('+') ? ', check' : '';
}

export function spokenScore(score: Score): string {
  if ('mate' in score) return `${score.mate < 0 ? 'Black' : 'White'} mates in ${Math.abs(score.mate)}`;
  if (Math.abs(score.cp) < 10) return 'the position is even';
  return `${score.cp < 0 ? 'Black' : 'White'} is better by ${(Math.abs(score.cp) / 100).toFixed(1)}`;
}

export class LiveRegion {
  readonly element = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  private last: NodeId = ROOT;

  constructor(private readonly app: App) {
    app.watch(
      (state) => [state.at, here(state).facts],
      () => this.move(),
    );
    app.onSay = () => this.score();
  }

  private move(): void {
    const { state } = this.app;
    const at = here(state);
    if (at.id === this.last || !at.facts) return;
    this.last = at.id;
    if (at.id === ROOT) return;
    const side = at.ply % 2 === 1 ? 'White' : 'Black';
    const outcome = at.facts.outcome ? `. Game over, ${at.facts.outcome.reason}` : '';
    this.element.textContent = `${side}: ${spoken(at.san)}${outcome}`;
  }

  private score(): void {
    const { state } = this.app;
    const best = shownSearch(state)?.view?.lines[0];
    const score = best?.score ?? here(state).eval?.score;
    if (!score) {
      this.element.textContent = 'No score is known';
      return;
    }
    const move = best?.moves[0] ? `. Best is ${spoken(best.moves[0].san)}` : '';
    this.element.textContent = `${spokenScore(score)}${move}`;
  }
}
