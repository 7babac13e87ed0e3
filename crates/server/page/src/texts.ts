// Texts from outside: a position, a game, or many games of which one is chosen.

import type { App } from './app';
import { dialog, h, replace } from './dom';
import type { Heading } from './protocol';

/** The longest text that the server takes, in bytes of JSON. */
const ROOM = (1 << 20) - 200;
/** With more games than this a field to search for names helps. */
const MANY = 8;

function sizeOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/** The text of a file, as far as the server would take it. */
export async function textOf(file: File): Promise<string> {
  const bytes = await file.slice(0, ROOM).arrayBuffer();
  try {
    // The last letter may be cut in two: as part of a stream it may.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The games at the beginning of a text that there is room for. */
function fitting(text: string): string {
  let part = text;
  for (let size = sizeOf(part); size > ROOM; size = sizeOf(part)) {
    const cut = part.slice(0, Math.floor((part.length * ROOM) / size));
    part = cut.slice(0, Math.max(0, cut.lastIndexOf('\n[Event ')));
  }
  return part;
}

/** Reads a text that is a FEN or has games; fails with a reason for people. */
export async function readText(app: App, text: string): Promise<void> {
  const trimmed = text.trim();
  if (/^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}/.test(trimmed) && !trimmed.includes('\n')) {
    await app.reset({ fen: trimmed });
    return;
  }
  const part = fitting(trimmed);
  if (trimmed && !part) throw new Error('This text is too long for a game');
  const answer = await app.connection.ask({ type: 'games', pgn: part });
  if (answer.type !== 'games') return;
  if (answer.games.length > 1) choose(app, part, answer.games, answer.left_out, part !== trimmed);
  else await app.readGame(part, answer.games[0]?.number ?? 1);
}

/** Lets one of the games be chosen. */
function choose(app: App, text: string, games: Heading[], leftOut: number, isCut: boolean): void {
  const rows = games.map((game): [string, HTMLButtonElement] => [
    [game.white, game.black, game.event, game.date].join(' ').toLowerCase(),
    row(game, () => {
      window_.close();
      app.readGame(text, game.number).catch((error) => app.tell(String((error as Error).message)));
    }),
  ]);
  const list = h('div', { class: 'games' }, ...rows.map(([, button]) => button));
  const none = h('p', { class: 'hint', hidden: true }, 'No game has these words.');
  const field = h('input', { type: 'text', class: 'words', placeholder: 'Players, event or year', 'aria-label': 'Search the games', spellcheck: 'false' });
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const [said, button] of rows) button.hidden = !words.every((word) => said.includes(word));
    none.hidden = rows.some(([, button]) => !button.hidden);
  });
  list.addEventListener('keydown', (event) => walk(list, event));
  field.addEventListener('keydown', (event) => walk(list, event));
  const rest = h('p', { class: 'hint' });
  if (leftOut > 0) replace(rest, `There are ${isCut ? 'at least ' : ''}${leftOut} games more; only the first ${games.length} are listed.`);
  else if (isCut) replace(rest, `The text is too long for the board; these are its first ${games.length} games.`);
  const window_ = dialog(
    `${games.length} games`,
    ...(games.length > MANY ? [field] : []),
    list,
    none,
    ...(rest.textContent ? [rest] : []),
  );
  window_.classList.add('wide');
  (games.length > MANY ? field : rows[0]?.[1])?.focus();
}

function row(game: Heading, onClick: () => void): HTMLButtonElement {
  const who = (name: string, color: string) => h('span', { class: 'who' }, h('span', { class: `disc ${color}` }), h('strong', {}, name || (color === 'white' ? 'White' : 'Black')));
  const moves = Math.ceil(game.plies / 2);
  const facts = [game.event, game.date.replace(/\.\?\?/g, ''), moves === 1 ? '1 move' : `${moves} moves`].filter(Boolean);
  return h(
    'button',
    { type: 'button', class: 'a-game', onClick },
    h('span', { class: 'nr' }, game.number),
    h('span', { class: 'players' }, who(game.white, 'white'), who(game.black, 'black')),
    h('span', { class: 'result-of' }, game.result.replace(/1\/2/g, '½')),
    h('small', {}, facts.join(' · ')),
  );
}

/** Up and down go from one game to the next. */
function walk(list: HTMLElement, event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const shown = [...list.querySelectorAll<HTMLButtonElement>('button:not([hidden])')];
  const at = shown.indexOf(document.activeElement as HTMLButtonElement);
  shown[Math.min(Math.max(0, at + by), shown.length - 1)]?.focus();
}
