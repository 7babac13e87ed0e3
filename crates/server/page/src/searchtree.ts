// A recorded search, unfolded move by move, with the rule that ended each node.

import type { App } from './app';
import { h, replace } from './dom';
import type { Answer, TreeNode } from './protocol';

const DEPTHS = [4, 6, 8, 10, 12];
/** Children that are shown at once; more come on demand. */
const FIRST = 60;

function pawns(score: number | null): string {
  if (score === null) return '∞';
  if (Math.abs(score) > 30_000) return score > 0 ? 'win' : 'loss';
  return (score / 100).toFixed(2).replace('-', '−');
}

export class SearchTree {
  readonly element: HTMLElement;
  private readonly body = h('div', { class: 'tree' });
  private readonly depth: HTMLSelectElement;
  private readonly record: HTMLButtonElement;

  constructor(private readonly app: App) {
    this.depth = h('select', { 'aria-label': 'Depth of the recorded search' }, ...DEPTHS.map((depth) => h('option', { value: depth, selected: depth === 6 }, `depth ${depth}`)));
    this.record = h('button', { type: 'button', onClick: () => void this.start() }, 'Record');
    const hint = h('p', { class: 'key' }, 'Records a search of this position from nothing, node by node: which moves were tried, which rule ended each node, what was left out.');
    replace(this.body, hint);
    this.element = h('section', { class: 'card tree-card', 'aria-label': 'Search tree' }, h('header', {}, h('h2', {}, 'Search tree'), this.depth, this.record), this.body);
    app.on(['game', 'place'], () => (this.record.disabled = app.reviewing || (app.game?.isOn ?? false)));
  }

  private async start(): Promise<void> {
    const { app } = this;
    this.record.disabled = true;
    try {
      const answer = await app.connection.ask({ type: 'trace', at: app.place(), depth: Number(this.depth.value) });
      if (answer.type === 'traced') this.show(answer);
    } catch (error) {
      app.tell(String((error as Error).message));
    }
    this.record.disabled = false;
    // The recording took the engine's place.
    app.analyse();
  }

  private show(answer: Answer & { type: 'traced' }): void {
    const left = answer.omitted ? `; there was no room for ${answer.omitted.toLocaleString('en')} more` : '';
    const count = h('p', { class: 'key' }, `${answer.nodes.toLocaleString('en')} nodes of the last iteration${left}`);
    replace(this.body, count, h('ul', { role: 'tree' }, ...answer.roots.map((node) => this.node(node))));
  }

  private node(node: TreeNode): HTMLElement {
    const item = h('li', { role: 'treeitem' });
    const inside = node.children > 0 || node.skipped.length > 0;
    const quiet = node.depth <= 0 && node.kind === 'quiescence';
    const why = node.end ? node.end.replaceAll('-', ' ') : node.children ? 'all moves searched' : '';
    const head = h(
      'button',
      { type: 'button', class: `node ${quiet ? 'quiet' : ''}`, 'aria-expanded': inside ? 'false' : undefined, disabled: !inside, title: title(node) },
      h('span', { class: 'twig' }, inside ? '▸' : '·'),
      h('b', {}, node.label),
      h('span', { class: 'node-score' }, node.result === null ? '–' : pawns(node.result)),
      h('span', { class: 'why' }, why),
      h('span', { class: 'kind' }, `${node.kind === 'quiescence' ? 'q' : node.kind} ${node.depth}`),
    );
    item.append(head);
    head.addEventListener('click', () => void this.toggle(item, head, node));
    return item;
  }

  private async toggle(item: HTMLElement, head: HTMLElement, node: TreeNode): Promise<void> {
    const open = item.querySelector(':scope > ul');
    head.setAttribute('aria-expanded', open ? 'false' : 'true');
    head.firstElementChild?.replaceChildren(open ? '▸' : '▾');
    if (open) {
      open.remove();
      return;
    }
    const list = h('ul', { role: 'group' });
    item.append(list);
    try {
      const answer = await this.app.connection.ask({ type: 'unfold', node: node.id });
      if (answer.type !== 'unfolded') return;
      this.add(list, answer.children, 0);
    } catch (error) {
      list.append(h('li', { class: 'skipped' }, String((error as Error).message)));
    }
    if (node.skipped.length) {
      const words = node.skipped.map(({ san, rule }) => `${san ?? '?'} (${rule.replaceAll('-', ' ')})`);
      list.append(h('li', { class: 'skipped' }, `left out: ${words.join(', ')}`));
    }
  }

  private add(list: HTMLElement, children: TreeNode[], from: number): void {
    list.append(...children.slice(from, from + FIRST).map((child) => this.node(child)));
    if (children.length <= from + FIRST) return;
    const more = h('button', { type: 'button', class: 'more', onClick: () => {
      more.remove();
      this.add(list, children, from + FIRST);
    } }, `${children.length - from - FIRST} more`);
    list.append(more);
  }
}

function title(node: TreeNode): string {
  const parts = [`window ${pawns(node.alpha === null ? null : node.alpha)} to ${pawns(node.beta)}`, `depth ${node.depth}`];
  if (node.static_score !== null) parts.push(`static ${pawns(node.static_score)}`);
  if (node.skipped.length) parts.push(`${node.skipped.length} moves left out`);
  return parts.join(', ');
}
