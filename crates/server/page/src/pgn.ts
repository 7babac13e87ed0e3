// Writes a game with its variations as PGN.

import { number, type Move, type Tree } from './tree';

const WIDTH = 80;

function tag(name: string, value: string): string {
  return `[${name} "${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"]`;
}

/** The moves after `from`, as words. Variations stand behind the move they replace. */
function words(from: Move, numbered: boolean, out: string[]): void {
  let at = from;
  let needsNumber = numbered;
  for (;;) {
    const [main, ...others] = at.children;
    if (!main) return;
    say(main, needsNumber, out);
    needsNumber = main.comment !== '' || others.length > 0;
    for (const other of others) {
      const inner: string[] = [];
      say(other, true, inner);
      words(other, other.comment !== '', inner);
      inner[0] = `(${inner[0] ?? ''}`;
      inner[inner.length - 1] += ')';
      out.push(...inner);
    }
    at = main;
  }
}

function say(move: Move, needsNumber: boolean, out: string[]): void {
  const before = move.ply % 2 === 1 || needsNumber ? [number(move.ply).replace('…', '...')] : [];
  out.push(...before, move.san, ...move.nags.map((nag) => `$${nag}`));
  if (move.comment) {
    const comment = move.comment.replace(/}/g, ')').split(/\s+/).filter(Boolean);
    comment[0] = `{ ${comment[0] ?? ''}`;
    comment.push('}');
    out.push(...comment);
  }
}

/** The text of a game. */
export function pgn(tree: Tree, result: string, chess960: boolean): string {
  const usual = { Event: 'Game on the board', Site: 'Halcyon', Date: today(), Round: '-', White: '?', Black: '?' };
  const headers: Record<string, string> = { ...usual, ...tree.headers, Result: result };
  if (tree.start !== 'usual') {
    headers['SetUp'] = '1';
    headers['FEN'] = tree.startFen;
    if (chess960) headers['Variant'] = 'Chess960';
  }
  const tags = Object.entries(headers).map(([name, value]) => tag(name, value));
  const list: string[] = [];
  words(tree.root, true, list);
  list.push(result);
  const lines: string[] = [''];
  for (const word of list) {
    const last = lines[lines.length - 1] ?? '';
    if (last && last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return `${tags.join('\n')}\n\n${lines.join('\n')}\n`;
}

function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}
