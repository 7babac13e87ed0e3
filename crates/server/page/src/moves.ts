// The list of moves with variations, comments and symbols.

import type { App } from './app';
import { confirm, dialog, h, iconButton, replace } from './dom';
import { tourOffer } from './tour';
import { endingOf, here, resultOf } from './state';
import {
  isPass,
  JUDGEMENT_NAGS,
  lineThrough,
  mainEnd,
  moveNumber,
  nagsOf,
  nodeOf,
  path,
  ROOT,
  scoreText,
  subtree,
  type GameNode,
  type NodeId,
  type Tree,
} from './tree';

/** Symbols of moves and of positions, by their number in PGN. */
const SYMBOLS: Record<number, [string, string]> = {
  1: ['!', 'good move'],
  2: ['?', 'mistake'],
  3: ['!!', 'brilliant move'],
  4: ['??', 'blunder'],
  5: ['!?', 'interesting move'],
  6: ['?!', 'dubious move'],
  7: ['□', 'only move'],
  10: ['=', 'equal position'],
  13: ['∞', 'unclear position'],
  14: ['+=', 'White is slightly better'],
  15: ['=+', 'Black is slightly better'],
  16: ['±', 'White is better'],
  17: ['∓', 'Black is better'],
  18: ['+−', 'White is winning'],
  19: ['−+', 'Black is winning'],
  22: ['⊙', 'zugzwang'],
  36: ['↑', 'initiative'],
  40: ['→', 'attack'],
  132: ['⇆', 'counterplay'],
  138: ['⊕', 'time trouble'],
  146: ['N', 'novelty'],
};
const CLASSES: Record<number, string> = { 1: 'good', 3: 'good', 5: 'good', 2: 'mistake', 4: 'blunder', 6: 'inaccuracy' };

/** What the shape of the list depends on: scores change more often and are filled in. */
function shapeOf(tree: Tree): unknown[] {
  return Object.values(tree.nodes).flatMap((node) => [node.id, node.children, node.comment, node.before, node.nags, node.judged]);
}

function sentence(node: GameNode): string {
  const { judged } = node;
  if (!judged?.judgement) return '';
  const name = judged.judgement[0]?.toUpperCase() + judged.judgement.slice(1);
  return judged.best ? `${name}. ${moveNumber(node.ply)} ${judged.best} was best.` : `${name}.`;
}

export class MoveList {
  readonly element: HTMLElement;
  private readonly opening = h('div', { class: 'opening' });
  private readonly title = h('div', { class: 'title' }, this.opening);
  private readonly list = h('div', { class: 'moves', tabindex: '-1' });
  private readonly menu = h('div', { class: 'menu', role: 'menu', 'aria-label': 'Move', hidden: true });
  private readonly buttons = new Map<NodeId, HTMLElement>();
  private shape: unknown[] = [];

  constructor(private readonly app: App) {
    const more = iconButton('more', 'Comment, symbols and more for this move', () => {
      const box = more.getBoundingClientRect();
      this.openMenu(box.left, box.bottom + 4, app.state.at);
    });
    more.classList.add('more-button');
    const why = h('button', { type: 'button', class: 'why-button', onClick: () => void app.why() }, 'Why?');
    app.watch(
      (state) => [state.at, state.mode.kind, state.asking, here(state).lesson],
      () => {
        const { kind } = app.state.mode;
        const at = here(app.state);
        const isPlain = at.id !== ROOT && !isPass(at) && !at.san.endsWith('#');
        why.hidden = !isPlain || at.lesson !== null || (kind !== 'analysing' && kind !== 'over');
        why.disabled = app.state.asking !== null;
        why.textContent = app.state.asking === null ? `Why ${at.judged?.judgement ? '' : 'not '}${at.san}?` : 'Thinking…';
        why.title = `What the coach says about ${at.san} (W)`;
      },
    );
    this.title.append(why, more);
    this.element = h('section', { class: 'card game', 'aria-label': 'Game' }, this.title, this.list, this.menu);
    app.watch(
      (state) => [state.tree, state.mode, here(state), state.settings.toured],
      () => this.update(),
    );
    app.watch(
      (state) => [state.at],
      () => this.mark(),
    );
    document.addEventListener('pointerdown', (event) => {
      if (!this.menu.contains(event.target as Node)) this.closeMenu();
    });
    this.menu.addEventListener('keydown', (event) => this.menuKey(event));
    // The current move stays in view when lines or the graph take room.
    new ResizeObserver(() => this.scroll()).observe(this.list);
  }

  /** Draws the list again if its shape has changed, and else only the scores. */
  private update(): void {
    const { tree, mode, settings } = this.app.state;
    const shape = [settings.toured, mode.kind, resultOf(this.app.state), tree.headers['Result'], ...shapeOf(tree)];
    if (shape.length === this.shape.length && shape.every((value, index) => value === this.shape[index])) {
      this.showScores();
    } else {
      this.shape = shape;
      this.draw();
    }
    this.showTitle();
  }

  private draw(): void {
    this.buttons.clear();
    const { tree } = this.app.state;
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    const root = nodeOf(tree, ROOT);
    if (root.comment) rows.push(h('div', { class: 'aside' }, h('span', { class: 'comment' }, root.comment)));
    for (let at = root; at.children[0] !== undefined; ) {
      const [main, ...others] = at.children.map((id) => nodeOf(tree, id));
      if (!main) break;
      const isWhite = main.ply % 2 === 1;
      if (!row) {
        row = h('div', { class: 'row' }, h('span', { class: 'number' }, String(Math.ceil(main.ply / 2))));
        rows.push(row);
        if (!isWhite) row.append(h('span', { class: 'cell blank' }, '…'));
      }
      row.append(this.cell(main));
      if (!isWhite) row = null;
      const words = [sentence(main), main.lesson ? '' : main.said, main.comment].filter(Boolean).join(' ');
      const aside = words ? [h('span', { class: 'comment' }, words)] : [];
      const variations = others.map((other) => h('div', { class: 'variation' }, ...this.variation(other)));
      if (aside.length || variations.length) {
        if (row) row.append(h('span', { class: 'cell blank' }, '…'));
        rows.push(h('div', { class: 'aside' }, ...aside, ...variations));
        row = null;
      }
      at = main;
    }
    const result = resultOf(this.app.state);
    const ending = endingOf(this.app.state) ?? nodeOf(tree, mainEnd(tree)).facts?.outcome;
    if (result !== '*') {
      const reason = ending?.reason ? ` · ${ending.reason}` : '';
      rows.push(h('div', { class: 'result' }, result.replace('1/2-1/2', '½–½') + reason));
    }
    if (rows.length === 0) {
      const isGame = this.app.state.mode.kind === 'playing';
      const hint = isGame ? 'The moves of the game appear here.' : 'Make a move, paste a game, or drop a PGN file anywhere.';
      rows.push(h('p', { class: 'hint' }, hint));
      if (!this.app.state.settings.toured && this.app.state.mode.kind === 'analysing') rows.push(tourOffer(this.app));
    }
    replace(this.list, ...rows);
    this.showScores();
    this.mark();
  }

  private cell(node: GameNode): HTMLElement {
    const cell = this.button(node, node.san, 'cell');
    cell.append(h('small', {}));
    return cell;
  }

  /** Fills in the scores; in a game they are nobody's business. */
  private showScores(): void {
    const { tree, mode } = this.app.state;
    for (const [id, button] of this.buttons) {
      const small = button.querySelector('small');
      const known = tree.nodes[id]?.eval;
      const text = known && mode.kind !== 'playing' ? scoreText(known.score) : '';
      if (small && small.textContent !== text) small.textContent = text;
    }
  }

  /** A line in words, its own variations in blocks below it. */
  private variation(first: GameNode): HTMLElement[] {
    const { tree } = this.app.state;
    const parts: HTMLElement[] = [];
    const nested: HTMLElement[] = [];
    let needsNumber = true;
    for (let node: GameNode | undefined = first; node; ) {
      if (node.before) parts.push(h('span', { class: 'comment' }, node.before));
      const label = node.ply % 2 === 1 || needsNumber ? `${moveNumber(node.ply)}\u2009` : '';
      parts.push(this.button(node, label + node.san, 'word'));
      needsNumber = false;
      const words = [sentence(node), node.lesson ? '' : node.said, node.comment].filter(Boolean).join(' ');
      if (words) {
        parts.push(h('span', { class: 'comment' }, words));
        needsNumber = true;
      }
      const [next, ...others]: GameNode[] = node.children.map((id) => nodeOf(tree, id));
      for (const other of others) nested.push(h('div', { class: 'variation' }, ...this.variation(other)));
      node = next;
    }
    return [...parts, ...nested];
  }

  private button(node: GameNode, text: string, kind: string): HTMLElement {
    const nags = nagsOf(node);
    const symbols = nags.map((nag) => SYMBOLS[nag]?.[0] ?? `$${nag}`).join(' ');
    const color = nags.map((nag) => CLASSES[nag]).find(Boolean) ?? '';
    const button = h(
      'button',
      {
        type: 'button',
        class: `move ${kind} ${color}`,
        onClick: () => this.app.go(node.id),
        onContextmenu: (event: MouseEvent) => {
          event.preventDefault();
          this.openMenu(event.clientX, event.clientY, node.id);
        },
      },
      h('span', {}, text + symbols),
    );
    const { judged } = node;
    if (isPass(node)) button.title = 'A null move: the side to move passes';
    if (judged?.judgement && judged.loss !== null) {
      button.title = `${Math.round(judged.loss * 100)}% less chance to win` + (judged.best ? `; ${judged.best} was best` : '');
    }
    this.buttons.set(node.id, button);
    return button;
  }

  private mark(): void {
    const { at } = this.app.state;
    for (const [id, button] of this.buttons) {
      const here = id === at;
      button.classList.toggle('here', here);
      if (here) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    this.scroll();
  }

  /** Scrolls the list, never the page, to the current move and what is said about it. */
  private scroll(): void {
    const { at } = this.app.state;
    const button = this.buttons.get(at);
    if (!button) {
      if (at === ROOT) this.list.scrollTop = 0;
      return;
    }
    const block = button.closest('.row, .aside');
    const after = block?.nextElementSibling;
    const list = this.list.getBoundingClientRect();
    const move = button.getBoundingClientRect();
    const words = after?.matches('.aside, .result') ? after.getBoundingClientRect() : move;
    const bottom = Math.min(words.bottom, move.top + list.height - 40);
    if (move.top < list.top + 8) this.list.scrollTop -= list.top - move.top + 40;
    else if (bottom > list.bottom - 8) this.list.scrollTop += bottom - list.bottom + 30;
  }

  private showTitle(): void {
    const { tree, at } = this.app.state;
    const named = [ROOT, ...path(tree, at)]
      .reverse()
      .map((id) => nodeOf(tree, id).facts?.opening)
      .find(Boolean);
    const { start, headers } = tree;
    const set = start === 'usual' ? '' : 'chess960' in start ? `Chess960, position ${start.chess960}` : 'From a set-up position';
    const known = (name: string) => (/[^?]/.test(headers[name] ?? '') ? headers[name] : '');
    const players = known('White') && known('Black') ? `${known('White')} – ${known('Black')}` : '';
    const text = named ? `${named.eco}  ${named.name}` : set;
    replace(this.opening, players && h('strong', {}, players), h('span', {}, text));
    const isEmpty = tree.nextId === 1;
    this.title.hidden = isEmpty && !players && !text;
  }

  private openMenu(x: number, y: number, id: NodeId): void {
    const { app } = this;
    const { tree, mode } = app.state;
    const node = nodeOf(tree, id);
    const item = (label: string, act: () => void) =>
      h(
        'button',
        {
          type: 'button',
          role: 'menuitem',
          onClick: () => {
            this.closeMenu();
            act();
          },
        },
        label,
      );
    const items: HTMLElement[] = [item(node.comment ? 'Edit comment…' : 'Add comment…', () => this.editComment(id))];
    if (id !== ROOT) {
      items.push(this.symbols(node));
      if (mode.kind !== 'playing') {
        const isFirst = tree.nodes[node.parent ?? ROOT]?.children[0] === id;
        if (!isFirst || !lineThrough(tree, ROOT).includes(id))
          items.push(item('Make this the main line', () => app.dispatch({ type: 'promote', node: id })));
        items.push(item('Delete from here', () => void this.deleteFrom(id)));
      }
    }
    replace(this.menu, ...items);
    this.menu.hidden = false;
    const box = this.menu.getBoundingClientRect();
    this.menu.style.left = `${Math.max(8, Math.min(x, innerWidth - box.width - 8))}px`;
    this.menu.style.top = `${Math.max(8, Math.min(y, innerHeight - box.height - 8))}px`;
    this.menu.querySelector('button')?.focus();
  }

  /** Symbols to switch on and off. */
  private symbols(node: GameNode): HTMLElement {
    const shown = nagsOf(node);
    const buttons = [1, 2, 3, 4, 5, 6, 10, 13, 14, 15, 16, 17, 18, 19].map((nag) => {
      const [symbol, name] = SYMBOLS[nag] ?? ['', ''];
      const isOn = shown.includes(nag);
      return h(
        'button',
        {
          type: 'button',
          role: 'menuitemcheckbox',
          'aria-checked': String(isOn),
          'aria-label': name,
          title: name,
          onClick: () => {
            // One symbol for the move, one for the position.
            const group = nag <= 6 ? (one: number) => one <= 6 : (one: number) => one >= 10 && one <= 19;
            const rest = node.nags.filter((one) => !group(one));
            const implied = node.judged?.judgement ? JUDGEMENT_NAGS[node.judged.judgement] : 0;
            this.closeMenu();
            this.app.dispatch({
              type: 'annotate',
              node: node.id,
              fields: { nags: isOn && nag !== implied ? rest : [...rest, nag].sort((a, b) => a - b) },
            });
          },
        },
        symbol,
      );
    });
    return h('div', { class: 'symbols', role: 'group', 'aria-label': 'Symbols' }, ...buttons);
  }

  private editComment(id: NodeId): void {
    const node = nodeOf(this.app.state.tree, id);
    const area = h('textarea', { rows: 5, class: 'words', 'aria-label': 'Comment' });
    area.value = node.comment;
    const save = h(
      'button',
      {
        type: 'button',
        class: 'primary',
        onClick: () => {
          this.app.dispatch({ type: 'annotate', node: id, fields: { comment: area.value.replace(/\s+/g, ' ').trim() } });
          window_.close();
        },
      },
      'Save',
    );
    const title = id === ROOT ? 'Comment before the first move' : `Comment on ${moveNumber(node.ply)} ${node.san}`;
    const window_ = dialog(title, area, h('footer', {}, save));
    area.focus();
  }

  private async deleteFrom(id: NodeId): Promise<void> {
    const { tree } = this.app.state;
    const count = subtree(tree, id).length;
    if (count > 20 && !(await confirm('Delete moves', `${count} moves will be deleted.`, 'Delete'))) return;
    this.app.dispatch({ type: 'delete', node: id });
  }

  private menuKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Escape') {
      this.closeMenu();
      this.buttons.get(this.app.state.at)?.focus();
      return;
    }
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const items = [...this.menu.querySelectorAll('button')];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    items[(at + by + items.length) % items.length]?.focus();
  }

  private closeMenu(): void {
    this.menu.hidden = true;
  }
}
