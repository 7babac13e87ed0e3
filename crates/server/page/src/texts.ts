// Texts from outside: a position, a game, or many games of which one is chosen.

import type { App } from './app';
import { choose, gameFile, partsOf } from './collection';
import { mayLeaveGame } from './review';

/** Of a longer file only the beginning is read, in bytes. */
const MAX_FILE = 64 << 20;

/** The text of a file; of a very long one, the games at its beginning. */
export async function textOf(file: File): Promise<string> {
  const bytes = await file.slice(0, MAX_FILE).arrayBuffer();
  const text = decode(bytes);
  return file.size > MAX_FILE ? text.slice(0, Math.max(0, text.lastIndexOf('\n[Event '))) : text;
}

function decode(bytes: ArrayBuffer): string {
  try {
    // The last letter may be cut in two: as part of a stream it may.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const FEN = /^[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/;

/** The position that a text is, without the quotes that it may have been copied with. */
export function fenOf(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^["'`“”]+|["'`“”;]+$/g, '')
    .trim()
    .replace(/^fen\s+/i, '')
    .replace(/^["']|["']$/g, '');
  return FEN.test(bare) && !bare.includes('\n') && !/\smoves\s/.test(bare) ? bare : null;
}

/** Reads a text that is a position or has games; fails with a reason for people. */
export async function readText(app: App, text: string): Promise<void> {
  const trimmed = text.trim();
  const fen = fenOf(trimmed);
  if (fen) {
    if (await mayLeaveGame(app, 'Another position')) await app.setUp({ fen });
    return;
  }
  const { parts, tooLong } = partsOf(trimmed);
  const [first = ''] = parts;
  if (tooLong > 0 && !first) throw new Error('This text is too long for a game');
  const answer = await app.connection.ask<'games'>({ type: 'games', pgn: first });
  if (answer.games.length > 1 || parts.length > 1) {
    choose(app, gameFile(parts, answer.games, tooLong));
    return;
  }
  const number = answer.games[0]?.number ?? 1;
  // Whether there is a game is known before the running one is given up.
  if (answer.games.length === 1 && !(await mayLeaveGame(app, 'Another game'))) return;
  await app.readGame(first, number);
}
