// Writes a game with its variations as PGN.

import { writeComment } from './comments';
import { annotationOf, moveNumber, nagsOf, nodeOf, ROOT, type GameNode, type NodeId, type Tree } from './tree';

const WIDTH = 80;
const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];

/** The tags that every game has, and what stands there if nothing is known. */
const ROSTER: [string, string][] = [
  ['Event', '?'],
  ['Site', '?'],
  ['Date', '????.??.??'],
  ['Round', '?'],
  ['White', '?'],
  ['Black', '?'],
];

function tag(name: string, value: string): string {
  const plain = value
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"');
  return `[${name} "${plain}"]`;
}

/** A result as PGN has it; `*` for everything else. */
export function knownResult(text: string | undefined): string {
  return RESULTS.find((result) => result === text) ?? '*';
}

class Words {
  private readonly list: string[] = [];
  private opening = '';

  /** Adds a word. */
  push(word: string): void {
    this.list.push(this.opening + word);
    this.opening = '';
  }

  /** Adds text right before the next word. */
  open(text: string): void {
    this.opening += text;
  }

  /** Adds text right after the last word. */
  close(text: string): void {
    this.list[this.list.length - 1] += text;
  }

  /** A comment. A command such as [%clk 0:01:00] is not torn apart. */
  comment(text: string): void {
    const plain = text.replace(/}/g, ')').replace(/\{/g, '(');
    const words = plain.match(/\[%\w+ [^\]]*\]|\S+/g);
    if (!words) return;
    this.push('{');
    for (const word of words) this.push(word);
    this.push('}');
  }

  /** Lines of limited width. None begins like a tag or like an escape, even in a comment. */
  lines(): string {
    const lines: string[] = [''];
    for (const word of this.list) {
      const last = lines[lines.length - 1] ?? '';
      const mayBegin = !/^[[%]/.test(word);
      if (last && last.length + 1 + word.length > WIDTH && mayBegin) lines.push(word);
      else lines[lines.length - 1] = last ? `${last} ${word}` : word;
    }
    return lines.join('\n');
  }
}

/** A move with its number, glyphs and comments; whether a number is needed after it. */
function writeMove(node: GameNode, needsNumber: boolean, words: Words): boolean {
  if (node.before) words.comment(node.before);
  const label = moveNumber(node.ply).replace('…', '...');
  if (node.ply % 2 === 1 || needsNumber || node.before) words.push(label);
  words.push(node.san);
  for (const nag of nagsOf(node)) words.push(`$${nag}`);
  const comment = writeComment(annotationOf(node), label);
  if (comment) words.comment(comment);
  return comment !== '';
}

/** The moves after a node. Variations stand behind the move they replace. */
function writeLine(tree: Tree, from: NodeId, needsNumber: boolean, words: Words): void {
  let at = nodeOf(tree, from);
  let numbered = needsNumber;
  for (;;) {
    const [main, ...others] = at.children.map((child) => nodeOf(tree, child));
    if (!main) return;
    numbered = writeMove(main, numbered, words);
    for (const other of others) {
      words.open('(');
      const after = writeMove(other, true, words);
      writeLine(tree, other.id, after, words);
      words.close(')');
      numbered = true;
    }
    at = main;
  }
}

/** The text of a game. */
export function writePgn(tree: Tree, result: string): string {
  const end = knownResult(result);
  const tags = ROSTER.map(([name, unknown]) => tag(name, tree.headers[name] || unknown));
  tags.push(tag('Result', end));
  if (tree.start !== 'usual') {
    if ('chess960' in tree.start) tags.push(tag('Variant', 'Chess960'));
    tags.push(tag('SetUp', '1'), tag('FEN', tree.startFen));
  }
  const written = new Set([...ROSTER.map(([name]) => name), 'Result', 'Variant', 'SetUp', 'FEN']);
  for (const [name, value] of Object.entries(tree.headers)) {
    if (!written.has(name) && /^\w+$/.test(name)) tags.push(tag(name, value));
  }
  const words = new Words();
  const comment = writeComment(annotationOf(nodeOf(tree, ROOT)));
  if (comment) words.comment(comment);
  writeLine(tree, ROOT, true, words);
  words.push(end);
  return `${tags.join('\n')}\n\n${words.lines()}\n`;
}

/** A day as PGN writes it. */
export function pgnDate(day: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}
