// A server and a browser for the tests, and what every page must not do.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const program = process.env.HALCYON_PROGRAM ?? join(target, 'debug/halcyon');

/** Generous, for busy machines: nothing waits longer than it must. */
const TIMEOUT_MS = Number(process.env.HALCYON_TIMEOUT ?? 90_000);

/** Where the pictures of the tests are kept. */
export const pictures = join(target, 'pictures');
mkdirSync(pictures, { recursive: true });

/** The browser of the system. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

/** Why nothing can be tested, or false. */
export const skip = browserPath ? false : 'no chromium on this machine';

export async function startServer(...options) {
  const environment = typeof options[0] === 'object' ? options.shift() : {};
  const port = options.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(program, ['serve', ...port, '--hash', '8', '--engines', '2', ...options], {
    env: { ...process.env, ...environment },
  });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const hear = (text) => {
      said += text;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  return {
    url,
    port: new URL(url).port,
    /** Ends it as Ctrl-C does, and gives how it ended. */
    async stop() {
      child.kill('SIGINT');
      return ended;
    },
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** A server and a browser for all tests of a file, and their end. */
export function serverAndBrowser() {
  const both = {};
  before(async () => {
    if (skip) return;
    [both.server, both.browser] = await Promise.all([startServer(), launch()]);
  });
  after(async () => {
    if (skip) return;
    await both.browser.close();
    assert.deepEqual(await both.server.stop(), { code: 0, signal: null });
  });
  return both;
}

/** Says yes in the dialog that asks before something is lost. */
export async function agree(page, name) {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

/** Turns the engine on or off; off, nothing moves under the pointer. */
export async function setEngine(page, on) {
  await page.locator('#engine').setChecked(on, { force: true });
}

/** Nothing that a browser does on its own: no sandbox in a container, no updates, no syncing. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launch() {
  return chromium.launch({ executablePath: browserPath, args: FLAGS });
}

/** A page in a context of its own that notes everything it should not do. */
export async function open(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', ...options });
  // A page that was bundled by itself can be tried without building the program again.
  const bundle = process.env.HALCYON_BUNDLE;
  if (bundle)
    await context.route(/\/app\.(js|css)$/, (route) => route.fulfill({ path: join(bundle, route.request().url().split('/').at(-1)) }));
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    const inside = ['data:', 'blob:'].includes(protocol) || hostname === '127.0.0.1';
    if (!inside) errors.push(`request to ${request.url()}`);
  });
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(server.url);
  await connected(page);
  return {
    page,
    errors,
    /** Closes it; nothing may have gone wrong. */
    async close() {
      await context.close();
      assert.deepEqual(errors, []);
    },
  };
}

/** Waits until something is true of what the test itself has seen. */
export async function until(isTrue) {
  for (const end = Date.now() + TIMEOUT_MS; !(await isTrue()); ) {
    assert.ok(Date.now() < end, `never true: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The page has found its server. */
export async function connected(page) {
  await page.locator('.link[data-state=open]').waitFor({ state: 'attached' });
}

/** Loads the page again, as soon as it has kept what it shows. */
export async function reload(page) {
  await page.reload();
  await connected(page);
}

/** Loads the page again, with answers of the server that can be held back, as if it were far away. */
export async function holdableServer(page) {
  const held = [];
  let isHeld = false;
  await page.routeWebSocket(/socket/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await reload(page);
  return {
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const send of held.splice(0)) send();
    },
  };
}

/** The middle of a square, in the page. */
export async function square(page, name) {
  const box = await page.locator('.holder cg-board').boundingBox();
  const flipped = await page.locator('.holder .orientation-black').count();
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
  const [column, row] = flipped ? [7 - file, rank] : [file, 7 - rank];
  return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
}

export async function click(page, name) {
  const { x, y } = await square(page, name);
  await page.mouse.click(x, y);
}

export async function clickMove(page, from, to) {
  for (const name of [from, to]) await click(page, name);
}

/** Selects a piece, on a board with nothing selected that may not know yet where it can go. */
export async function selectWhenReady(page, from) {
  // Squares that are not used any more are hidden.
  const ways = page.locator('.holder cg-board square.move-dest:visible').first();
  for (let tries = 0; tries < 10; tries += 1) {
    await click(page, from);
    if (
      await ways.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      )
    )
      return;
  }
}

/** As `clickMove`, from a board with nothing selected that may not know yet where a piece can go. */
export async function clickMoveWhenReady(page, from, to) {
  await selectWhenReady(page, from);
  await click(page, to);
}

export async function dragMove(page, from, to) {
  const [a, b] = [await square(page, from), await square(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
}

/** The moves of the list, as text. */
export async function moves(page) {
  return page.locator('.moves .move > span').allInnerTexts();
}

export async function waitForMoves(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll('.moves .move').length >= wanted, count);
}

/** Drops a file on the page. */
export async function drop(page, name, bytes) {
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(content, (letter) => letter.charCodeAt(0))], fileName));
      return transfer;
    },
    [name, bytes.toString('latin1')],
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Sets a position up, or loads a game, as a paste does. */
export async function paste(page, text) {
  await page.evaluate((value) => {
    const data = new DataTransfer();
    data.setData('text', value);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
}

/** A phone makes its window as wide as what overflows, so that only the layout's width tells. */
export async function noScrollingSideways(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${over} pixels too wide`);
}

export function picture(page, name) {
  return page.screenshot({ path: join(pictures, `${name}.png`) });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe finds nothing on the page, which must have been opened with `bypassCSP`. */
export async function accessible(page, where) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ content: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 120))
        .join(' | ')}`,
  );
  assert.deepEqual(found, [], where);
}
