// The board editor: pieces put anywhere, then analysed or played from.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Color, Role } from '@lichess-org/chessground/types';
import type { App } from './app';
import { dialog, h, pieceElement } from './dom';
import { mayLeaveGame } from './review';
import { other } from './state';

const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const EMPTY = '8/8/8/8/8/8/8/8';
const USUAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** The castling rights that the pieces allow, of those that are wanted. */
function castling(placement: string, wanted: string): string {
  const rows = placement.split('/').map((row) => row.replace(/\d/g, (digit) => ' '.repeat(Number(digit))));
  const at = (row: number, column: number) => rows[row]?.[column];
  const allowed: Record<string, boolean> = {
    K: at(7, 4) === 'K' && at(7, 7) === 'R',
    Q: at(7, 4) === 'K' && at(7, 0) === 'R',
    k: at(0, 4) === 'k' && at(0, 7) === 'r',
    q: at(0, 4) === 'k' && at(0, 0) === 'r',
  };
  return [...wanted].filter((right) => allowed[right]).join('') || '-';
}

export function editorDialog(app: App): void {
  const [placement = EMPTY, side = 'w', rights = 'KQkq'] = app.at.fen.split(' ');
  const mount = h('div', { class: 'mount' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  let chosen: { role: Role; color: Color } | 'erase' | null = null;
  let api: Api | null = null;
  const tools: HTMLButtonElement[] = [];
  const tool = (what: NonNullable<typeof chosen>, label: string, ...content: (Node | string)[]) => {
    const button = h(
      'button',
      {
        type: 'button',
        class: 'tool',
        'aria-pressed': 'false',
        'aria-label': label,
        title: label,
        onClick: () => {
          chosen = chosen === what ? null : what;
          for (const one of tools) one.setAttribute('aria-pressed', String(one === button && chosen === what));
        },
      },
      ...content,
    );
    tools.push(button);
    return button;
  };
  const row = (color: Color) =>
    h(
      'div',
      { class: 'tools cg-wrap' },
      ...ROLES.map((role) => tool({ role, color }, `Put a ${color} ${role}`, pieceElement(role, color))),
    );
  const white = h('input', { type: 'radio', name: 'side', value: 'w', checked: side === 'w' });
  const black = h('input', { type: 'radio', name: 'side', value: 'b', checked: side === 'b' });
  const boxes = ['K', 'Q', 'k', 'q'].map((right) => h('input', { type: 'checkbox', value: right, checked: rights.includes(right) }));
  const names = ['White O-O', 'White O-O-O', 'Black O-O', 'Black O-O-O'];
  const fen = () => {
    const pieces = api?.getFen() ?? placement;
    const wanted = boxes
      .filter((box) => box.checked)
      .map((box) => box.value)
      .join('');
    return `${pieces} ${black.checked ? 'b' : 'w'} ${castling(pieces, wanted)} - 0 1`;
  };
  const fail = (error: unknown) => {
    problem.textContent = String((error as Error).message);
    problem.hidden = false;
  };
  const done = async () => {
    if (!(await mayLeaveGame(app, 'Another position'))) return;
    await app.setUp({ fen: fen() });
    window_.close();
  };
  const place = (pieces: string) => api?.set({ fen: pieces });
  const window_ = dialog(
    'Board editor',
    row(other(app.state.orientation)),
    h('div', { class: 'editor-board' }, mount),
    row(app.state.orientation),
    h(
      'div',
      { class: 'buttons' },
      tool('erase', 'Remove pieces', 'Remove pieces'),
      h('button', { type: 'button', onClick: () => place(EMPTY) }, 'Empty board'),
      h('button', { type: 'button', onClick: () => place(USUAL) }, 'Start position'),
    ),
    h(
      'div',
      { class: 'editor-options' },
      h('div', { class: 'editor-side' }, h('label', {}, white, 'White to move'), h('label', {}, black, 'Black to move')),
      ...boxes.map((box, index) => h('label', {}, box, names[index] ?? '')),
    ),
    problem,
    h('footer', {}, h('button', { type: 'button', class: 'primary', onClick: () => void done().catch(fail) }, 'Analyse this position')),
  );
  window_.classList.add('editor');
  api = Chessground(mount, {
    fen: placement,
    orientation: app.state.orientation,
    movable: { free: true, color: 'both' },
    draggable: { deleteOnDropOff: true },
    drawable: { enabled: false },
    animation: { enabled: false },
    events: {
      select: (key) => {
        if (!chosen || !api) return;
        const present = api.state.pieces.get(key);
        const same = chosen !== 'erase' && present?.role === chosen.role && present.color === chosen.color;
        api.setPieces(new Map([[key, chosen === 'erase' || same ? undefined : chosen]]));
        api.selectSquare(null);
      },
    },
  });
}
