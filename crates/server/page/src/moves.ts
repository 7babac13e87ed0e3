// The list of moves with variations.

import type { App } from './app';
import { h, replace } from './dom';
import { number, scoreText, type Move } from './tree';

const GLYPHS: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };
const CLASSES: Record<number, string> = { 1: 'good', 3: 'good', 5: 'good', 2: 'mistake', 4: 'blunder', 6: 'inaccuracy' };

export class MoveList {
  readonly element: HTMLElement;
  private readonly opening = h('div', { class: 'opening' });
  private readonly list = h('div', { class: 'moves', role: 'list', 'aria-label': 'Moves' });
  private readonly menu = h('div', { class: 'menu', role: 'menu', hidden: true });
  private readonly buttons = new Map<Move, HTMLElement>();

  constructor(private readonly app: App) {
    this.element = h('section', { class: 'card game', 'aria-label': 'Game' }, this.opening, this.list, this.menu);
    app.on(['tree', 'game', 'review'], () => this.draw());
    app.on(['place'], () => this.mark());
    document.addEventListener('click', () => this.closeMenu());
    this.draw();
  }

  private draw(): void {
    this.buttons.clear();
    const rows: HTMLElement[] = [];
    const { root } = this.app.tree;
    let cells: HTMLElement[] | null = null;
    const row = (move: Move): HTMLElement[] => {
      const made = [h('span', { class: 'number' }, String(Math.ceil(move.ply / 2)))];
      const line = h('div', { class: 'row' });
      rows.push(line);
      queueMicrotask(() => line.append(...made));
      return made;
    };
    for (let at = root; at.children[0]; at = at.children[0]) {
      const main = at.children[0];
      const isWhite = main.ply % 2 === 1;
      if (!cells) {
        cells = row(main);
        if (!isWhite) cells.push(h('span', { class: 'cell blank' }, '…'));
      }
      cells.push(this.cell(main));
      if (!isWhite) cells = null;
      const aside = [...(main.comment ? [h('span', { class: 'comment' }, main.comment)] : [])];
      const others = at.children.slice(1).map((other) => h('div', { class: 'variation' }, ...this.variation(other)));
      if (aside.length || others.length) {
        if (cells) cells.push(h('span', { class: 'cell blank' }, '…'));
        rows.push(h('div', { class: 'aside' }, ...aside, ...others));
        cells = null;
      }
    }
    const result = this.app.result();
    const ending = this.app.game?.ending ?? this.app.tree.main().at(-1)?.facts?.outcome;
    if (result !== '*') {
      const reason = ending?.reason ? ` · ${ending.reason}` : '';
      rows.push(h('div', { class: 'result' }, result.replace('1/2-1/2', '½–½') + reason));
    }
    if (rows.length === 0) rows.push(h('p', { class: 'hint' }, 'Make a move, paste a game, or drop a PGN file anywhere.'));
    replace(this.list, ...rows);
    queueMicrotask(() => this.mark());
  }

  private cell(move: Move): HTMLElement {
    const cell = this.button(move, move.san, 'cell');
    if (move.eval && !this.app.game?.isOn) cell.append(h('small', {}, scoreText(move.eval.score)));
    return cell;
  }

  /** A line in words, its own variations in brackets. */
  private variation(first: Move): HTMLElement[] {
    const parts: HTMLElement[] = [];
    let needsNumber = true;
    for (let move: Move | undefined = first; move; move = move.children[0]) {
      const label = move.ply % 2 === 1 || needsNumber ? `${number(move.ply)}\u2009` : '';
      parts.push(this.button(move, label + move.san, 'word'));
      needsNumber = false;
      if (move.comment) {
        parts.push(h('span', { class: 'comment' }, move.comment));
        needsNumber = true;
      }
    }
    const nested: HTMLElement[] = [];
    for (let move: Move | undefined = first; move; move = move.children[0]) {
      for (const other of move.children.slice(1)) nested.push(h('div', { class: 'variation' }, ...this.variation(other)));
    }
    return [...parts, ...nested];
  }

  private button(move: Move, text: string, kind: string): HTMLElement {
    const nag = move.nags.find((one) => GLYPHS[one]);
    const button = h(
      'button',
      {
        type: 'button',
        class: `move ${kind} ${nag ? (CLASSES[nag] ?? '') : ''}`,
        onClick: () => this.app.go(move),
        onContextmenu: (event: MouseEvent) => this.openMenu(event, move),
      },
      h('span', {}, text + (nag ? (GLYPHS[nag] ?? '') : '')),
    );
    if (move.judged?.judgement) {
      button.title = `${Math.round(move.judged.loss * 100)}% less chance to win` + (move.judged.best ? `; ${move.judged.best} was best` : '');
    }
    this.buttons.set(move, button);
    return button;
  }

  private mark(): void {
    const { at, tree } = this.app;
    for (const [move, button] of this.buttons) {
      const here = move === at;
      button.classList.toggle('here', here);
      if (here) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (here) scrollInto(this.list, button);
    }
    if (at === tree.root) this.list.scrollTop = 0;
    const path = [tree.root, ...tree.path(at)];
    const opening = path.reverse().find((move) => move.facts?.opening)?.facts?.opening;
    const start = tree.start;
    const name = typeof start === 'object' && 'chess960' in start ? `Chess960, position ${start.chess960}` : start === 'usual' ? '' : 'From a set-up position';
    const players = tree.headers['White'] && tree.headers['Black'] ? `${tree.headers['White']} – ${tree.headers['Black']}` : '';
    const text = opening ? `${opening.eco}  ${opening.name}` : name;
    replace(this.opening, players && h('strong', {}, players), h('span', {}, text));
    this.opening.hidden = !players && !text;
  }

  private openMenu(event: MouseEvent, move: Move): void {
    event.preventDefault();
    const { app } = this;
    const item = (label: string, act: () => void) =>
      h('button', { type: 'button', role: 'menuitem', onClick: act }, label);
    const items = [
      item('Make this the main line', () => {
        app.tree.promote(move);
        app.emit('tree');
        app.save();
      }),
      item('Delete from here', () => {
        const gone = app.tree.path(app.at).includes(move);
        app.tree.remove(move);
        app.emit('tree');
        if (gone && move.parent) app.go(move.parent);
        app.save();
      }),
    ];
    if (app.game?.isOn) return;
    replace(this.menu, ...items);
    this.menu.hidden = false;
    this.menu.style.left = `${Math.min(event.clientX, innerWidth - 210)}px`;
    this.menu.style.top = `${Math.min(event.clientY, innerHeight - 100)}px`;
    items[0]?.focus();
  }

  private closeMenu(): void {
    this.menu.hidden = true;
  }
}

/** Scrolls a list, never the page. */
function scrollInto(list: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top + 8) list.scrollTop -= outer.top - inner.top + 40;
  else if (inner.bottom > outer.bottom - 8) list.scrollTop += inner.bottom - outer.bottom + 40;
}
