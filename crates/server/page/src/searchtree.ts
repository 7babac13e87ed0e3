// A recorded search, unfolded node by node, with the rule that ended each node and its position.

import type { App } from './app';
import { MiniBoard } from './board';
import { h, replace } from './dom';
import type { AnswerTo } from './connection';
import type { GameState, LeftOutAt, Step, TreeNode } from './protocol';
import { PruningQuestion, ruleText, ruleWords } from './pruning';
import { here } from './state';
import { moveNumber, movesTo, ROOT, type NodeId } from './tree';

const DEPTHS = [4, 6, 8, 10, 12];
/** Children that are shown at once; more come on demand. */
const FIRST = 60;

function pawns(score: number | null): string {
  if (score === null) return '∞';
  if (Math.abs(score) > 30_000) return score > 0 ? 'win' : 'loss';
  return (score / 100).toFixed(2).replace('-', '−');
}

/** Where a node is. */
function place(node: TreeNode, way: Step[] | null): string {
  if (way?.length) return `after ${way.map(({ san }) => san).join(' ')}`;
  if (way) return 'the root';
  return node.label === 'null move' ? 'after a null move' : `${node.label}, below a null move`;
}

/** What ended a node, in words. */
function outcome({ end, children, skipped }: TreeNode): string {
  if (end === 'no-move') return 'There is no legal move: mate or stalemate.';
  if (end?.startsWith('cut-')) return `Cutoff: the ${ruleText(end).replace('cutoff: ', '')} was good enough.`;
  if (end) return ruleWords(end).includes(':') ? ruleWords(end) : `Ended by ${ruleText(end)}.`;
  if (!children) return '';
  return skipped.length ? 'No cutoff: every move that was not pruned was searched.' : 'No cutoff: all moves were searched.';
}

export class SearchTree {
  readonly element: HTMLElement;
  private readonly body = h('div', { class: 'tree' });
  private readonly detail = h('div', { class: 'node-detail', hidden: true });
  private readonly words = h('div', { class: 'node-words' });
  private readonly mini = new MiniBoard();
  private readonly depth: HTMLSelectElement;
  private readonly record: HTMLButtonElement;
  private selected: HTMLElement | null = null;
  /** The position that was recorded. */
  private at: { node: NodeId; fen: string } = { node: ROOT, fen: '' };
  private position: GameState = { start: 'usual', moves: [] };

  constructor(private readonly app: App) {
    this.depth = h(
      'select',
      { 'aria-label': 'Depth of the recorded search' },
      ...DEPTHS.map((depth) => h('option', { value: depth, selected: depth === 6 }, `depth ${depth}`)),
    );
    this.record = h('button', { type: 'button', onClick: () => void this.start() }, 'Record');
    const hint = h(
      'p',
      { class: 'key' },
      'Records a search of this position from scratch, node by node: which moves were tried, which rule ended each node, what was pruned.',
    );
    replace(this.body, hint);
    replace(this.detail, this.mini.element, this.words);
    this.element = h(
      'section',
      { class: 'card tree-card', 'aria-label': 'Search tree' },
      h('header', {}, h('h2', {}, 'Search tree'), this.depth, this.record),
      this.detail,
      this.body,
    );
    // Below the large board the small one shows it as well, because the large one is out of sight.
    app.watch(
      (state) => [state.peek],
      () => this.detail.classList.toggle('on-board', app.state.peek !== null),
    );
    app.watch(
      (state) => [state.mode.kind, state.asking],
      () => this.allow(),
    );
  }

  private allow(): void {
    const { kind } = this.app.state.mode;
    this.record.disabled = (kind !== 'analysing' && kind !== 'over') || this.app.state.asking !== null;
  }

  private async start(): Promise<void> {
    const { app } = this;
    const { at } = app.state;
    const where = at === ROOT ? 'the start position' : `the position after ${moveNumber(here(app.state).ply)} ${here(app.state).san}`;
    this.at = { node: at, fen: here(app.state).fen };
    this.position = { start: app.state.tree.start, moves: movesTo(app.state.tree, at) };
    const depth = Number(this.depth.value);
    try {
      const answer = await this.trace(depth, []);
      const again = async (rule: string) => {
        const other = await this.trace(depth, [rule]);
        this.show(other, `${where} without ${ruleText(rule)}`, question.element);
        return other;
      };
      const question = new PruningQuestion(app, { answer, again, show: (found) => this.showNode(found) });
      this.show(answer, where, question.element);
    } catch (error) {
      app.tell(String((error as Error).message));
    }
  }

  /** Records a search. Meanwhile nothing is analysed: it takes the engine. */
  private async trace(depth: number, without: string[]): Promise<AnswerTo<'trace'>> {
    const { app } = this;
    app.dispatch({ type: 'asking', node: this.at.node });
    try {
      return await app.connection.ask<'trace'>({ type: 'trace', at: this.position, depth, without });
    } finally {
      app.dispatch({ type: 'asking', node: null });
    }
  }

  /** Shows the node at which a move was left out. */
  private showNode({ node, way, steps }: LeftOutAt): void {
    this.select(null, { ...node, label: way.at(-1) ?? 'root' }, steps);
    this.detail.scrollIntoView({ block: 'nearest' });
  }

  private show(answer: AnswerTo<'trace'>, where: string, question: HTMLElement): void {
    const left = answer.omitted ? `; there was no room for ${answer.omitted.toLocaleString('en')} more` : '';
    const count = h('p', { class: 'key' }, `${answer.nodes.toLocaleString('en')} nodes of the last iteration at ${where}${left}. `);
    const legend = h(
      'p',
      { class: 'key' },
      'Each row: move, score for the side to move, the rule that ended the node, kind of node and depth. A root that was searched with several windows is listed once for each; orange is quiescence.',
    );
    this.detail.hidden = true;
    replace(
      this.body,
      question,
      count,
      legend,
      h(
        'ul',
        { role: 'tree', 'aria-label': 'Recorded search' },
        ...answer.roots.map((node, index) => this.node(index ? { ...node, label: `root, window ${index + 1}` } : node, [])),
      ),
    );
  }

  /** A row. `before` are the moves to its parent; none if a null move is among them. */
  private node(node: TreeNode, before: Step[] | null): HTMLElement {
    const isMove = node.uci !== null;
    const way =
      before && isMove ? [...before, { uci: node.uci ?? '', san: node.label, fen: node.fen }] : node.label === 'null move' ? null : before;
    const item = h('li', { role: 'treeitem', 'aria-expanded': 'false' });
    const inside = node.children > 0 || node.skipped.length > 0;
    const quiet = node.depth <= 0 && node.kind === 'quiescence';
    const why = node.end ? ruleText(node.end) : node.children ? 'no cutoff' : '';
    const head = h(
      'button',
      { type: 'button', class: `node ${quiet ? 'quiet' : ''}`, tabindex: '0' },
      h('span', { class: 'twig' }, inside ? '▸' : '·'),
      h('b', {}, node.label),
      h('span', { class: 'node-score' }, node.result === null ? '–' : pawns(node.result)),
      h('span', { class: 'why' }, why),
      h('span', { class: 'kind' }, `${node.kind === 'quiescence' ? 'q' : node.kind} ${node.depth}`),
    );
    item.append(head);
    head.addEventListener('click', () => {
      this.select(head, node, way);
      if (inside) void this.toggle(item, head, node, way);
    });
    return item;
  }

  /** Shows the position of a node and says in words what became of it. */
  private select(head: HTMLElement | null, node: TreeNode, way: Step[] | null): void {
    this.selected?.classList.remove('selected');
    this.selected = head;
    head?.classList.add('selected');
    this.detail.hidden = false;
    const uci = node.uci ?? '';
    const step = uci ? { uci, san: node.label, fen: node.fen } : null;
    // The root is on the board already.
    const isHere = way?.length === 0 && node.fen === here(this.app.state).fen;
    this.app.dispatch({ type: 'peek', peek: isHere ? null : { fen: node.fen, step, way: place(node, way) } });
    this.mini.show({ uci, san: node.label, fen: node.fen }, this.app.state.orientation, []);
    const lines = [
      `Searched ${node.depth > 0 ? `${node.depth} plies deep` : 'in quiescence'} with the window ${pawns(node.alpha)} to ${pawns(node.beta)}.`,
      node.static_score === null ? '' : `Static score ${pawns(node.static_score)}.`,
      node.result === null ? 'The search was stopped inside.' : `Result ${pawns(node.result)} for the side to move.`,
      outcome(node),
      node.skipped.length ? `Pruned: ${node.skipped.map(({ san, rule }) => `${san ?? '?'} (${ruleText(rule)})`).join(', ')}.` : '',
    ];
    const show = way?.length
      ? h(
          'button',
          { type: 'button', onClick: () => this.app.dispatch({ type: 'add-line', ...this.at, steps: way }) },
          'Add this line to the game',
        )
      : null;
    replace(this.words, ...lines.filter(Boolean).map((line) => h('p', {}, line)), show);
  }

  private async toggle(item: HTMLElement, head: HTMLElement, node: TreeNode, way: Step[] | null): Promise<void> {
    const open = item.querySelector(':scope > ul');
    item.setAttribute('aria-expanded', open ? 'false' : 'true');
    head.firstElementChild?.replaceChildren(open ? '▸' : '▾');
    if (open) {
      open.remove();
      return;
    }
    const list = h('ul', { role: 'group' });
    item.append(list);
    try {
      const answer = await this.app.connection.ask<'unfold'>({ type: 'unfold', node: node.id });
      this.add(list, answer.children, 0, way);
    } catch (error) {
      list.append(h('li', { class: 'skipped', role: 'treeitem' }, String((error as Error).message)));
    }
    if (node.skipped.length) {
      const words = node.skipped.map(({ san, rule }) => `${san ?? '?'} (${ruleText(rule)})`);
      list.append(h('li', { class: 'skipped', role: 'treeitem' }, `pruned: ${words.join(', ')}`));
    }
  }

  private add(list: HTMLElement, children: TreeNode[], from: number, way: Step[] | null): void {
    list.append(...children.slice(from, from + FIRST).map((child) => this.node(child, way)));
    if (children.length <= from + FIRST) return;
    const more = h(
      'button',
      {
        type: 'button',
        class: 'more',
        onClick: () => {
          row.remove();
          this.add(list, children, from + FIRST, way);
        },
      },
      `${children.length - from - FIRST} more`,
    );
    const row = h('li', { role: 'treeitem' }, more);
    list.append(row);
  }
}
