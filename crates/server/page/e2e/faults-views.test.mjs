// Faults of the views that earlier versions of the board had, each with the steps that showed it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEGAL, exported, newGame, review } from './faults.mjs';
import {
  accessible,
  clickMove,
  noScrollingSideways,
  open,
  paste,
  picture,
  serverAndBrowser,
  setEngine,
  skip,
  square,
  startServer,
  waitForMoves,
  reload,
} from './harness.mjs';

const both = serverAndBrowser();

test('8: scores in the list follow the search', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  await page.locator('.line .pill').first().waitFor();
  const shown = () =>
    page.evaluate(() => [document.querySelector('.moves .here small')?.textContent, document.querySelector('.line .pill')?.textContent]);
  for (let round = 0; round < 5; round++) {
    await page.waitForTimeout(300);
    const [kept, live] = await shown();
    assert.equal(kept, live);
  }
  await close();
});

test('10: a game on a phone fits', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await newGame(page, { clock: '3+2' });
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 2);
  await noScrollingSideways(page);
  const flip = await page.getByLabel('Flip board').boundingBox();
  assert.ok(flip.x + flip.width <= 390, JSON.stringify(flip));
  await picture(page, 'phone-game');
  await close();
});

test('13: the graph of nodes per second is that of the counters', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  // A search at a constant speed, whose messages come a little late now and then.
  const message = (id, index) => ({
    type: 'search',
    id,
    state: 'running',
    depth: 5,
    seldepth: 9,
    nodes: index * 1300,
    nps: 10_000,
    time_ms: index * 120 + (index % 3) * 90,
    hashfull: 1,
    tablebase_hits: 0,
    lines: [],
    statistics: {
      running: true,
      time_ms: index * 120,
      nodes_by_kind: { pv: index * 300, cut: index * 700, quiescence: index * 200 },
      transposition_table: { hits: 1 },
      cutoffs_by_stage: {},
      pruning_of_nodes: {},
      pruning_of_moves: {},
      first_move_share: 0.9,
      iterations: [],
      clock: { soft_ms: null, wanted_ms: null, hard_ms: null },
      stop: null,
    },
  });
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => socket.send(text));
    socket.onMessage((text) => {
      const { type, id, statistics } = JSON.parse(text);
      if (type !== 'analyse') server.send(text);
      else if (statistics)
        for (let index = 1; index < 40; index++) setTimeout(() => socket.send(JSON.stringify(message(id, index))), index * 15);
    });
  });
  await reload(page);
  await page.keyboard.press('h');
  await page.locator('.main-nodes').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(1500);
  const heights = await page.evaluate(() => {
    const text = document.querySelector('.main-nodes').getAttribute('d');
    const points = [...text.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, , y]) => 84 - Number(y));
    return points.slice(0, points.length / 2);
  });
  assert.ok(heights.length > 10, `${heights.length}`);
  assert.ok(Math.max(...heights) - Math.min(...heights) < 2, heights.map((y) => y.toFixed(0)).join());
  await close();
});

test('15: the current move stays in view', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 1280, height: 720 } });
  const game =
    '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 *';
  await setEngine(page, false);
  await paste(page, game);
  await waitForMoves(page, 32);
  await page.keyboard.press('End');
  await setEngine(page, true);
  await page.getByLabel('More lines').click();
  await page.getByLabel('More lines').click();
  await page.waitForFunction(() => document.querySelectorAll('.line .pill').length === 5);
  await page.keyboard.press('ArrowLeft');
  await page.locator('.line .pill').first().waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.graph:not([hidden])').waitFor();
  await page.waitForFunction(() => {
    const [list, move] = ['.moves', '.moves .here'].map((name) => document.querySelector(name).getBoundingClientRect());
    return move.top >= list.top && move.bottom <= list.bottom;
  });
  await close();
});

test('16: the graph leaves gaps and reaches the mate', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, LEGAL);
  await waitForMoves(page, 13);
  // A position that is left before its first score has none: wait for the score of the start.
  await page.locator('.line .pill').first().waitFor();
  // The start and the mate alone are no graph: it would be an empty box.
  assert.equal(await page.locator('.graph').isVisible(), false);
  await page.keyboard.press('ArrowRight');
  await page.locator('.graph .curve').first().waitFor({ state: 'attached' });
  // Start and first move are known, and the mate at the end: nothing lies between.
  const curves = await page.locator('.graph .curve').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  assert.equal(curves.length, 1);
  assert.ok(Number(/L([\d.]+)/.exec(curves[0])[1]) < 100, curves[0]);
  // Nor does the gap look as if Black were winning there: what is Black's ends with the curve.
  const colors = await page.locator('.graph').evaluate((graph) => {
    const ground = graph.querySelector('.ground').getBoundingClientRect();
    return { width: ground.width / graph.getBoundingClientRect().width, behind: getComputedStyle(graph).backgroundColor };
  });
  const card = await page.locator('.card.game').evaluate((one) => getComputedStyle(one).backgroundColor);
  assert.ok(colors.width < 0.2 && colors.behind === card, JSON.stringify({ ...colors, card }));
  const dots = await page.locator('.graph .dot.lonely').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  assert.ok(
    dots.some((dot) => dot.startsWith('M600.0 0.0')),
    dots.join(),
  );
  await close();
});

test('17: the theme comes back to the system', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? 'system');
  await page.getByLabel('Settings').click();
  const seen = [];
  for (const name of ['Dark', 'Light', 'System']) {
    await page.getByLabel(name, { exact: true }).check({ force: true });
    seen.push(await theme());
  }
  assert.deepEqual(seen, ['dark', 'light', 'system']);
  await page.getByLabel('Brown', { exact: true }).check({ force: true });
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.board), 'brown');
  await close();
});

test('18: Escape closes the menu of a move, and touch has a button for it', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  await page.locator('.moves .move').first().click({ button: 'right' });
  await page.getByRole('menu').waitFor();
  await picture(page, 'menu');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await page.getByLabel('Comment, symbols and more').click();
  await page.getByRole('menuitem', { name: 'Add comment' }).click();
  await page.getByLabel('Comment', { exact: true }).fill('A good start');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('A good start').waitFor();
  await page.getByLabel('Comment, symbols and more').click();
  await page.getByLabel('brilliant move').click();
  await page.locator('.move', { hasText: 'e4!!' }).waitFor();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  assert.match(await exported(page), /1\. e4 \$3 \{ (\[%eval [^\]]*\] )?A good start \}/);
  await close();
});

test('22: the statistics leave out what is never used', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.keyboard.press('h');
  await page.locator('.bars').first().waitFor();
  await page.waitForTimeout(1500);
  const labels = await page.locator('.bars .label').allInnerTexts();
  assert.ok(labels.length > 4, labels.join());
  assert.ok(!labels.includes('killers') && !labels.includes('countermove'), labels.join());
  const values = await page.locator('.bars .value').allInnerTexts();
  assert.ok(!values.includes('0'), values.join());
  await close();
});

for (const colorScheme of ['dark', 'light']) {
  test(`23: axe finds nothing, ${colorScheme}`, { skip }, async () => {
    const { page, close } = await open(both.browser, both.server, { colorScheme, bypassCSP: true });
    await page.locator('.line .pill').first().waitFor();
    await accessible(page, 'the first view');
    await page.keyboard.press('h');
    await page.locator('.bars').first().waitFor();
    await paste(page, LEGAL);
    await waitForMoves(page, 13);
    await review(page);
    await page.locator('.accuracy').first().waitFor();
    await page.locator('.move.blunder', { hasText: 'Bxd1' }).click();
    await page.locator('.line .pill').first().waitFor();
    await accessible(page, 'a review');
    await picture(page, `review-${colorScheme}`);
    for (const [key, name] of [
      ['n', 'New game'],
      ['settings', 'Settings'],
      ['p', 'Import and export'],
      ['o', 'Library'],
      ['r', 'Review the game'],
      ['?', 'Help'],
    ]) {
      if (key.length > 1) await page.getByRole('button', { name }).click();
      else await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await accessible(page, name);
      await picture(page, `dialog-${key === '?' ? 'help' : key}-${colorScheme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await close();
  });
}

test('the token can come from the environment', { skip }, async () => {
  const server = await startServer({ HALCYON_TOKEN: 'from-the-environment' });
  assert.ok(server.url.endsWith('?token=from-the-environment'), server.url);
  await server.stop();
});

test('arrows that are drawn are kept with the position', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const [from, to] = [await square(page, 'g1'), await square(page, 'f3')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  assert.match(await exported(page), /\{ \[%cal Gg1f3\] \} \*/);
  await page.reload();
  await page.locator('.holder .cg-shapes line').first().waitFor({ state: 'attached' });
  await close();
});
