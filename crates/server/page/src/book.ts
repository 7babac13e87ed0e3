// Opening books in Polyglot's format that the user has opened: sorted records of sixteen bytes. They
// stay in the browser; only the records of the position on the board are sent, to be read as moves.

const RECORD = 16;
/** The largest book that is opened, in bytes. */
export const MAX_BOOK = 64 << 20;
/** The server takes no more moves of one position. */
const MAX_MOVES = 256;

export interface BookFile {
  name: string;
  bytes: ArrayBuffer;
}

/** A move and its weight, as the format has them. */
export type BookRecord = [number, number];

/** The book that a file holds; fails with a reason for people. */
export function readBook(name: string, bytes: ArrayBuffer): BookFile {
  if (bytes.byteLength === 0) throw new Error(`${name} is empty`);
  if (bytes.byteLength > MAX_BOOK) throw new Error(`${name} is too large: a book may have ${MAX_BOOK >> 20} MiB at most`);
  if (bytes.byteLength % RECORD !== 0) throw new Error(`${name} is not a Polyglot book: its length is not a multiple of ${RECORD} bytes`);
  const view = new DataView(bytes);
  for (let at = RECORD; at < bytes.byteLength; at += RECORD) {
    const [before, after] = [view.getUint32(at - RECORD), view.getUint32(at)];
    if (before > after || (before === after && view.getUint32(at - RECORD + 4) > view.getUint32(at + 4))) {
      throw new Error(`${name} is not a Polyglot book: record ${at / RECORD} is out of order`);
    }
  }
  return { name, bytes };
}

/** Reads a file; one that is too large is not even loaded. */
export async function openBook(file: File): Promise<BookFile> {
  if (file.size > MAX_BOOK) throw new Error(`${file.name} is too large: a book may have ${MAX_BOOK >> 20} MiB at most`);
  return readBook(file.name, await file.arrayBuffer());
}

/** What a book knows of the position with this key of sixteen hexadecimal digits. */
export function recordsOf({ bytes }: BookFile, key: string): BookRecord[] {
  const view = new DataView(bytes);
  const wanted = BigInt(`0x${key}`);
  let [low, high] = [0, bytes.byteLength / RECORD];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (view.getBigUint64(middle * RECORD) < wanted) low = middle + 1;
    else high = middle;
  }
  const found: BookRecord[] = [];
  for (let at = low * RECORD; at < bytes.byteLength && view.getBigUint64(at) === wanted && found.length < MAX_MOVES; at += RECORD) {
    found.push([view.getUint16(at + 8), view.getUint16(at + 10)]);
  }
  return found;
}
