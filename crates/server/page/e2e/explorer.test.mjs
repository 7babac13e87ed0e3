// The explorer: opening books of the server and of the user.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  accessible,
  drop,
  moves,
  open,
  picture,
  serverAndBrowser,
  setEngine,
  skip,
  startServer,
  waitForMoves,
  reload,
} from './harness.mjs';

const both = serverAndBrowser();

/** A move of the start position with its weight, as Polyglot writes it. */
function record(move, weight, key = 0x463b96181691fc9cn) {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(key);
  bytes.writeUInt16BE(move, 8);
  bytes.writeUInt16BE(weight, 10);
  return bytes;
}

const [E4, D4] = [796, 731];

test('the explorer shows the opening book', { skip }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'halcyon-book-')), 'book.bin');
  writeFileSync(file, Buffer.concat([record(E4, 3), record(D4, 1)]));
  const server = await startServer('--book', file);
  const { page, close } = await open(both.browser, server);
  await setEngine(page, false);
  await page.getByText('Explorer: your library and the book').click();
  await page.locator('.explorer-move', { hasText: 'e4' }).getByText('75%').waitFor();
  await page.locator('.explorer-move', { hasText: 'd4' }).getByText('25%').waitFor();
  await picture(page, 'explorer-book');
  await page.locator('.explorer-move', { hasText: 'd4' }).click();
  await waitForMoves(page, 1);
  assert.deepEqual(await moves(page), ['d4']);
  await page.getByText('The book does not know this position').waitFor();
  await close();
  await server.stop();
});

test('a book is opened on the page, kept and closed', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { bypassCSP: true });
  await setEngine(page, false);
  await page.getByText('Explorer: moves of your library').click();
  const choose = page.getByLabel('Polyglot book');
  const buffer = Buffer.concat([record(0, 1, 1n), record(E4, 1), record(D4, 4), record(0, 9, 0x563b96181691fc9cn)]);
  await choose.setInputFiles({ name: 'own.bin', mimeType: 'application/octet-stream', buffer });
  await page.getByText('Book: own.bin').waitFor();
  await page.locator('.explorer-move', { hasText: 'd4' }).getByText('80%').waitFor();
  await page.locator('.explorer-move', { hasText: 'e4' }).getByText('20%').waitFor();
  await accessible(page, 'the explorer with a book');
  // It is still there after a reload, and is found in any position.
  await reload(page);
  await page.getByText('Explorer: moves of your library').click();
  await page.locator('.explorer-move', { hasText: 'd4' }).click();
  await waitForMoves(page, 1);
  assert.deepEqual(await moves(page), ['d4']);
  await page.getByText('The book does not know this position').waitFor();
  await page.getByRole('button', { name: 'Close the book' }).click();
  await page.getByText('Book: own.bin').waitFor({ state: 'hidden' });
  // Dropped anywhere it is opened as well.
  await page.keyboard.press('Home');
  await drop(page, 'dropped.BIN', record(E4, 1));
  await page.locator('.explorer-move', { hasText: 'e4' }).getByText('100%').waitFor();
  await close();
});

test('a book that is opened while the browser still looks for the kept one stays', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  // A slow disk: what is kept is told only when the test says so.
  await page.evaluate(() => {
    const get = IDBObjectStore.prototype.get;
    IDBObjectStore.prototype.get = function (key) {
      const request = get.call(this, key);
      if (this.name !== 'books') return request;
      Object.defineProperty(request, 'onsuccess', {
        set(tell) {
          request.addEventListener('success', () => {
            window.tellKept = tell;
          });
        },
      });
      return request;
    };
  });
  await page.getByText('Explorer: moves of your library').click();
  await page.waitForFunction(() => window.tellKept);
  const buffer = record(E4, 1);
  await page.getByLabel('Polyglot book').setInputFiles({ name: 'own.bin', mimeType: 'application/octet-stream', buffer });
  await page.getByText('Explorer: your library and the book').waitFor();
  await page.evaluate(() => window.tellKept());
  await page.locator('.explorer-move', { hasText: 'e4' }).getByText('100%').waitFor();
  await close();
});

test('a file that is no book is refused with the reason', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await page.getByText('Explorer: moves of your library').click();
  const choose = page.getByLabel('Polyglot book');
  const wrong = [
    [Buffer.alloc(0), 'is empty'],
    [Buffer.from('[Event "A game"]'.repeat(3) + '!'), 'not a multiple of 16 bytes'],
    [Buffer.concat([record(E4, 1), record(E4, 1, 5n)]), 'record 1 is out of order'],
  ];
  for (const [buffer, reason] of wrong) {
    await choose.setInputFiles({ name: 'wrong.bin', mimeType: 'application/octet-stream', buffer });
    await page.getByRole('alert').getByText(reason).waitFor();
  }
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array((64 << 20) + 16)], 'large.bin'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
  });
  await page.getByRole('alert').getByText('64 MiB at most').waitFor();
  assert.equal(await page.getByText('Book:').count(), 0);
  await close();
});
