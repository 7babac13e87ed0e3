// The example page, in a folder into which the packed package was installed.
import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { launch, skip as noBrowser } from '../../../server/page/e2e/harness.mjs';

const folder = process.env.HALCYON_FOLDER;
const skip = noBrowser || (folder && existsSync(folder) ? false : 'HALCYON_FOLDER names no folder');
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

test('the example page analyses, reports mistakes, and stays usable', { skip }, async () => {
  const files = createServer((request, response) => {
    const file = join(folder, normalize(new URL(request.url, 'http://x').pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': KINDS[extname(file)] ?? 'application/octet-stream' });
    return createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => files.listen(0, '127.0.0.1', resolve));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${files.address().port}/page.html`);
    const best = page.locator('#best');
    await best.getByText('ready').waitFor();
    await page.getByRole('button', { name: 'Analyse' }).click();
    await best.getByText('Ra8#').waitFor();
    await page.getByLabel('FEN').fill('nonsense');
    await page.getByRole('button', { name: 'Analyse' }).click();
    await best.getByText('not a possible position').waitFor();
    await page.getByLabel('FEN').fill('7k/8/8/8/8/8/r7/1r2K3 w - - 0 1');
    await page.getByRole('button', { name: 'Analyse' }).click();
    await best.getByText('not a possible position').waitFor({ state: 'hidden' });
    assert.equal(await best.textContent(), '', 'a mated king has no line');
  } finally {
    await browser.close();
    files.close();
  }
});
