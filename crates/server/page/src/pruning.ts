// Why was a move not searched? Finds it in the recorded tree, and searches again without the rule.

import type { App } from './app';
import type { AnswerTo } from './connection';
import { h, replace } from './dom';
import type { Line } from './protocol';
import { scoreText } from './tree';

/** The rules in plain words. */
const RULES: Record<string, string> = {
  'late-move-prune': 'Late move pruning: after enough moves have been tried, the quiet rest is skipped.',
  'history-prune': 'History pruning: a quiet move that did badly elsewhere is skipped.',
  'futility-prune': 'Futility pruning: a quiet move cannot bring the static score up to alpha, so the quiet rest is skipped.',
  'capture-futility-prune': 'Futility pruning of captures: what it takes is not enough to come up to alpha.',
  'see-prune': 'SEE pruning: the move loses material in the exchange on its square.',
  'razor-cut': 'Razoring: the node is so far below alpha that only captures were looked at.',
  'reverse-futility-cut': 'Reverse futility: the static score is so far above beta that no move was searched.',
  'null-move-cut': 'Null move pruning: even after a pass the side to move stays above beta, so no move was searched.',
  'prob-cut-cut': 'ProbCut: a capture beats a raised beta in a shallower search, so the others were not searched.',
  'tt-prob-cut': 'ProbCut by the table: a score of a shallower search is far above beta.',
  'delta-prune': 'Delta pruning: in quiescence, what the capture takes is not enough to come up to alpha.',
  'quiescence-late-move': 'Late captures: in quiescence, captures that come late and neither recapture nor check are skipped.',
  'quiescence-see-prune': 'SEE pruning: in quiescence, captures that lose material are skipped.',
  'evasion-skip': 'In quiescence one answer to the check is known to hold, so the quiet rest is skipped.',
};

/** The name of a rule within a sentence. */
export function ruleText(rule: string): string {
  const [name, rest] = (RULES[rule] ?? '').split(':');
  // Late move pruning, but ProbCut and SEE pruning.
  if (name && rest) return /^[A-Z][a-z]+\b/.test(name) && !name.startsWith('ProbCut') ? name[0]?.toLowerCase() + name.slice(1) : name;
  const words = rule.replaceAll('-', ' ').replace(/\btt\b/, 'TT');
  return words.replace(/^cut /, 'cutoff: ');
}

export function ruleWords(rule: string): string {
  return RULES[rule] ?? `${ruleText(rule)}.`;
}

type Traced = AnswerTo<'trace'>;
type LeftOut = AnswerTo<'why_not'>;

/** A recorded search, and how to record it once more without a rule. */
export interface Recording {
  answer: Traced;
  again(rule: string): Promise<Traced>;
  show(report: NonNullable<LeftOut['nearest']>): void;
}

export class PruningQuestion {
  readonly element: HTMLFormElement;
  private readonly field = h('input', {
    type: 'text',
    class: 'type-move',
    placeholder: 'Move',
    'aria-label': 'Move that was not searched',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: '10',
  });
  private readonly result = h('div', { class: 'pruning', role: 'status' });

  constructor(
    private readonly app: App,
    private readonly recording: Recording,
  ) {
    const ask = h('button', { type: 'submit' }, 'Ask');
    this.element = h(
      'form',
      { class: 'why-not' },
      h('label', {}, h('span', {}, 'Why was this move not searched?'), this.field),
      ask,
      this.result,
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.ask().catch((error) => replace(this.result, h('p', { class: 'problem' }, String((error as Error).message))));
    });
  }

  private question(mv: string): Promise<LeftOut> {
    return this.app.connection.ask<'why_not'>({ type: 'why_not', mv });
  }

  private async ask(): Promise<void> {
    const move = this.field.value.trim();
    if (!move) return;
    const report = await this.question(move);
    const { nearest } = report;
    if (!nearest) {
      replace(this.result, h('p', {}, `${move} was searched wherever it was legal: at ${report.searched} nodes.`));
      return;
    }
    const { rule, way, san, node, switchable } = nearest;
    // Where a search left a move out on purpose, to see how good the others are, that is no move of the way.
    const names = way.map((label) => (label.startsWith('without ') ? `(${label})` : label));
    const where = way.length ? `after ${names.join(' ')}` : 'at the root';
    const what = rule
      ? `${san} was left out ${where}, ${node.depth > 0 ? `with ${node.depth} plies to go` : 'in quiescence'}. ${ruleWords(rule)}`
      : `No rule left ${san} out. Nearest to the root, ${where}, the node ended before it: ${node.end ? ruleText(node.end) : 'only captures were searched'}.`;
    const counts = `It was searched at ${report.searched.toLocaleString('en')} ${report.searched === 1 ? 'node' : 'nodes'} and pruned at ${report.pruned.toLocaleString('en')}.`;
    const show = h('button', { type: 'button', onClick: () => this.recording.show(nearest) }, 'Show the node');
    const again =
      rule && switchable
        ? h(
            'button',
            {
              type: 'button',
              class: 'primary',
              onClick: () => void this.again(move, rule, report, again).catch((error) => this.app.tell(String((error as Error).message))),
            },
            'Search again without this rule',
          )
        : null;
    replace(this.result, h('p', {}, what), h('p', { class: 'key' }, counts), h('div', { class: 'buttons' }, show, again));
  }

  /** Records the same search with the rule off, and shows what is different. */
  private async again(move: string, rule: string, before: LeftOut, button: HTMLButtonElement | null): Promise<void> {
    if (button) button.disabled = true;
    const old = this.recording.answer;
    const answer = await this.recording.again(rule);
    const after = await this.question(move);
    const line = (best: Line | null) =>
      best
        ? `${scoreText(best.score)} ${best.moves
            .slice(0, 6)
            .map(({ san }) => san)
            .join(' ')}`
        : '–';
    const row = (name: string, one: string, two: string) =>
      h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, one), h('td', { class: one === two ? '' : 'differs' }, two));
    const number = (value: number) => value.toLocaleString('en');
    const isSame = old.best?.moves[0]?.uci === answer.best?.moves[0]?.uci;
    const verdict = isSame ? 'The best move is the same.' : 'The best move is another one.';
    replace(
      this.result,
      h('p', {}, `The same search without ${ruleText(rule)}. ${verdict}`),
      h(
        'table',
        { class: 'difference' },
        h('thead', {}, h('tr', {}, h('td'), h('th', { scope: 'col' }, 'with it'), h('th', { scope: 'col' }, 'without it'))),
        h(
          'tbody',
          {},
          row('Best line', line(old.best), line(answer.best)),
          row('Nodes', number(old.searched), number(answer.searched)),
          row(`${move} searched`, number(before.searched), number(after.searched)),
          row(`${move} pruned`, number(before.pruned), number(after.pruned)),
        ),
      ),
      h('p', { class: 'key' }, 'The tree below is the search without the rule.'),
    );
    this.result.scrollIntoView({ block: 'nearest' });
  }
}
