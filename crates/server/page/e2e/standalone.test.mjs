// The page with the engine inside: from a folder, as any web server would serve it.
import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { clickMoveWhenReady, launch, moves, skip as noBrowser, open, paste, picture, setEngine, waitForMoves } from './harness.mjs';

const folder = process.env.HALCYON_PAGE;
const skip = noBrowser || (folder && existsSync(folder) ? false : 'HALCYON_PAGE names no folder');
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };
let files;
let server;
let browser;

before(async () => {
  if (skip) return;
  // In a folder of its own, as on a shared host: nothing may lean on the root of the address.
  files = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname.replace(/^\/chess\//, '/');
    const file = join(folder, normalize(path === '/' ? '/index.html' : path));
    if (!request.url.startsWith('/chess/') || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': KINDS[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => files.listen(0, '127.0.0.1', resolve));
  server = { url: `http://127.0.0.1:${files.address().port}/chess/` };
  browser = await launch();
});

after(async () => {
  if (skip) return;
  await browser.close();
  files.close();
});

test('it analyses, and takes the next move while it does', { skip }, async () => {
  const { page, close } = await open(browser, server);
  await page.locator('.line').first().waitFor();
  await clickMoveWhenReady(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  await page.locator('.line').first().waitFor();
  await clickMoveWhenReady(page, 'c7', 'c5');
  await waitForMoves(page, 2);
  await page.getByText('Sicilian Defense').waitFor();
  await page.locator('.line').first().waitFor();
  await picture(page, 'standalone');
  assert.deepEqual(await moves(page), ['e4', 'c5']);
  await close();
});

test('it plays', { skip }, async () => {
  const { page, close } = await open(browser, server);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByLabel('Strength').fill('800');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('Halcyon 800').first().waitFor();
  await clickMoveWhenReady(page, 'd2', 'd4');
  await waitForMoves(page, 2);
  await clickMoveWhenReady(page, 'c2', 'c4');
  await waitForMoves(page, 4);
  await close();
});

test('it reads, reviews and explains a game', { skip }, async () => {
  const { page, close } = await open(browser, server);
  await paste(page, '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0');
  await waitForMoves(page, 7);
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Quick' }).click();
  await page.locator('.accuracy').first().waitFor();
  await page.locator('.move.blunder', { hasText: 'Nf6' }).click();
  await page.locator('.clause', { hasText: 'Nf6 allows mate in one: 4.Qxf7#.' }).waitFor();
  await page.getByRole('button', { name: /Retry Black’s mistakes/ }).click();
  await page.locator('.prompt', { hasText: 'Find a better move' }).waitFor();
  await close();
});

test('it shows what the search does, and nodes of a recorded tree', { skip }, async () => {
  const { page, close } = await open(browser, server);
  await paste(page, 'r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4');
  await page.getByText('From a set-up position').waitFor();
  await page.keyboard.press('h');
  await page.locator('.bars').first().waitFor();
  await page.getByLabel('Depth of the recorded search').selectOption('4');
  await page.getByRole('button', { name: 'Record' }).click();
  await page.locator('.node').first().click();
  await page.locator('.tree ul ul .node').first().click();
  await page.locator('.peek', { hasText: 'Recorded: after' }).waitFor();
  await page.getByLabel('Move that was not searched').fill('a6');
  await page.keyboard.press('Enter');
  await page.locator('.pruning', { hasText: /a6 was|No rule left a6 out/ }).waitFor();
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await page.locator('.line .pill').first().waitFor();
  await close();
});

test('it opens a book and a game with null moves', { skip }, async () => {
  const { page, close } = await open(browser, server);
  await setEngine(page, false);
  await page.getByText('Explorer: moves of your library').click();
  // 1. e4 in the start position, as Polyglot writes it.
  const buffer = Buffer.from('463b96181691fc9c031c000100000000', 'hex');
  await page.getByLabel('Polyglot book').setInputFiles({ name: 'own.bin', mimeType: 'application/octet-stream', buffer });
  await page.locator('.explorer-move', { hasText: 'e4' }).getByText('100%').waitFor();
  await paste(page, '1. e4 -- 2. d4 *');
  await waitForMoves(page, 3);
  assert.deepEqual(await moves(page), ['e4', '--', 'd4']);
  await close();
});
