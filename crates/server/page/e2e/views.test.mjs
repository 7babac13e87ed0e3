// Every view and dialog: axe finds nothing in it, and pictures of it are kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accessible,
  agree,
  clickMove,
  drop,
  open,
  paste,
  picture,
  serverAndBrowser,
  setEngine,
  skip,
  startServer,
  waitForMoves,
  reload,
} from './harness.mjs';

const both = serverAndBrowser();

const LEGAL =
  '[White "Anna"]\n[Black "Bert"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n';

async function closed(page) {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

for (const colorScheme of ['dark', 'light']) {
  test(`axe finds nothing in the editor, the menus and the questions, ${colorScheme}`, { skip }, async () => {
    const { page, close } = await open(both.browser, both.server, { colorScheme, bypassCSP: true });
    await setEngine(page, false);
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog', { name: 'Board editor' }).waitFor();
    await accessible(page, 'the editor');
    await picture(page, `editor-${colorScheme}`);
    await closed(page);
    await drop(page, 'two.pgn', Buffer.from(`${LEGAL}\n${LEGAL}`));
    await page.getByRole('dialog', { name: '2 games' }).waitFor();
    await accessible(page, 'a list of games');
    await closed(page);
    await paste(page, LEGAL);
    await waitForMoves(page, 13);
    await page.locator('.move').first().click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await accessible(page, 'the menu of a move');
    await picture(page, `menu-${colorScheme}`);
    await page.getByRole('menuitem', { name: 'Add comment…' }).click();
    await page.getByRole('dialog', { name: /Comment on/ }).waitFor();
    await accessible(page, 'a comment');
    await closed(page);
    await page.getByText('Explorer:').click();
    await page.locator('.explorer-move').first().waitFor();
    await accessible(page, 'the explorer');
    // A game: its buttons, the question before it is lost, its result, a promotion.
    await paste(page, '8/P6k/8/8/8/8/p6K/8 w - - 0 1');
    await page.getByText('From a set-up position').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('This position').check({ force: true });
    await page.getByLabel('White', { exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await clickMove(page, 'a7', 'a8');
    await page.getByRole('dialog', { name: 'Promotion' }).waitFor();
    await accessible(page, 'a promotion');
    await picture(page, `promotion-${colorScheme}`);
    await page.getByLabel('Promote to a queen').click();
    await waitForMoves(page, 1);
    await accessible(page, 'a game');
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('dialog', { name: 'Resign' }).waitFor();
    await accessible(page, 'a question');
    await agree(page, 'Resign');
    await page.getByText('Halcyon won').waitFor();
    await accessible(page, 'a result');
    await picture(page, `result-${colorScheme}`);
    await close();
  });

  test(`axe finds nothing in the training and the search tree, ${colorScheme}`, { skip }, async () => {
    const { page, close } = await open(both.browser, both.server, { colorScheme, bypassCSP: true });
    await setEngine(page, false);
    await paste(page, LEGAL);
    await waitForMoves(page, 13);
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Quick' }).click();
    await page.locator('.accuracy').first().waitFor();
    await page.keyboard.press('t');
    const view = page.getByRole('dialog', { name: 'Training' });
    await view.locator('.group-row').first().waitFor();
    await accessible(page, 'the training view');
    await picture(page, `training-view-${colorScheme}`);
    await view.getByRole('button', { name: /Train \d/ }).click();
    await page.locator('.prompt').waitFor();
    await accessible(page, 'an exercise');
    await picture(page, `exercise-${colorScheme}`);
    await page.getByLabel('Type a move').fill('a6');
    await page.keyboard.press('Enter');
    await page.locator('.training .verdict.blunder').waitFor();
    await accessible(page, 'a wrong try');
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await page.locator('.training .verdict.mistake').waitFor();
    await accessible(page, 'a solution');
    await picture(page, `solution-${colorScheme}`);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'What am I looking at?' }).click();
    const meanings = page.getByRole('dialog', { name: 'What am I looking at?' });
    await meanings.getByText('first-move cutoffs').waitFor();
    await accessible(page, 'what the statistics mean');
    await picture(page, `meanings-${colorScheme}`);
    await closed(page);
    await page.getByLabel('Depth of the recorded search').selectOption('4');
    await page.getByRole('button', { name: 'Record' }).click();
    await page.locator('.node').first().click();
    await page.getByLabel('Move that was not searched').fill('a6');
    await page.keyboard.press('Enter');
    await page.locator('.pruning p').first().waitFor();
    await accessible(page, 'the search tree');
    await picture(page, `search-tree-${colorScheme}`);
    await close();
  });
}

for (const [size, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
]) {
  for (const colorScheme of ['dark', 'light']) {
    test(`axe finds nothing in what comes and goes, on ${size}, ${colorScheme}`, { skip }, async () => {
      const server = await startServer();
      const { page } = await open(both.browser, server, { colorScheme, viewport, bypassCSP: true });
      await paste(page, 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3');
      await page.getByText('From a set-up position').waitFor();
      await page.locator('.line .pill').first().waitFor();
      await page.keyboard.press('x');
      await page.locator('.engine-state', { hasText: 'threat' }).waitFor();
      await accessible(page, 'the threat of the opponent');
      await page.keyboard.press('x');
      await page.keyboard.press('h');
      await page.getByLabel('Depth of the recorded search').selectOption('4');
      await page.getByRole('button', { name: 'Record' }).click();
      await page.locator('.node').first().click();
      await page.locator('.tree ul ul .node').first().click();
      await page.locator('.peek').waitFor();
      await accessible(page, 'a recorded position');
      await page.keyboard.press('Escape');
      await page.keyboard.press('h');
      await paste(page, LEGAL);
      await page.locator('.toast', { hasText: 'Another game was opened' }).waitFor();
      await paste(page, 'hello');
      await page.getByRole('alert').getByText('no game or position').waitFor();
      await accessible(page, 'a toast and a notice');
      await page.keyboard.press('r');
      await page.getByRole('button', { name: 'Deep' }).click();
      await page.locator('.review-progress').waitFor();
      await accessible(page, 'a review that runs');
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.keyboard.press('n');
      await page.getByLabel('5+3', { exact: true }).check({ force: true });
      await page.getByRole('button', { name: 'Play' }).click();
      await page.getByText('your move').waitFor();
      await page.keyboard.press('i');
      await accessible(page, 'a hint');
      await server.kill();
      await page.locator('.link[data-state=lost]').waitFor();
      await accessible(page, 'a lost connection');
      await page.context().close();
    });
  }
}

test('on a phone on its side nothing lies under the board', { skip }, async () => {
  const viewport = { width: 844, height: 390 };
  const { page, close } = await open(both.browser, both.server, { viewport, hasTouch: true });
  await page.keyboard.press('h');
  await page.locator('.bars').first().waitFor();
  const board = await page.locator('.left').boundingBox();
  for (const name of ['.side', '.statistics', '.controls']) {
    const box = await page.locator(name).boundingBox();
    assert.ok(box.x >= board.x + board.width, `${name}: ${JSON.stringify(box)} and the board ${JSON.stringify(board)}`);
    assert.ok(box.x + box.width <= viewport.width, `${name} leaves the window`);
  }
  // The board stays in view while the statistics are read.
  await page.getByRole('button', { name: 'Record' }).scrollIntoViewIfNeeded();
  const scrolled = await page.locator('.left').boundingBox();
  assert.ok(scrolled.y >= 0 && scrolled.y < 12, JSON.stringify(scrolled));
  await picture(page, 'phone-landscape-statistics');
  await close();
});

test('on a phone on its side the current move is above the buttons', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 844, height: 390 }, hasTouch: true });
  await paste(page, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d6 9. h3 Nb8 *');
  await waitForMoves(page, 18);
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelectorAll('.line .pill').length === 3);
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'Home', 'ArrowRight']) {
    await page.keyboard.press(key);
    if (key === 'Home') continue;
    await page.waitForFunction(() => {
      const [move, buttons] = ['.moves .here', '.controls'].map((name) => document.querySelector(name).getBoundingClientRect());
      return move.bottom <= buttons.top && move.top > 0;
    });
  }
  await close();
});

for (const width of [390, 1440]) {
  test(`no choice of a dialog needs a second line, at ${width} pixels`, { skip }, async () => {
    const { page, close } = await open(both.browser, both.server, { viewport: { width, height: 844 } });
    await setEngine(page, false);
    const heights = async () => {
      const found = await page.locator('dialog .segments label > span, dialog .which > span').evaluateAll((all) =>
        all.map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom / 8)));
          return [one.textContent, lines.size];
        }),
      );
      assert.ok(found.length > 8, `${found.length}`);
      assert.deepEqual(
        found.filter(([, lines]) => lines > 1),
        [],
      );
    };
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await heights();
    await closed(page);
    await page.keyboard.press('n');
    await page.getByLabel('Own', { exact: true }).check({ force: true });
    await heights();
    await close();
  });
}

test('piece sets and boards are chosen and kept', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  const piece = () =>
    page
      .locator('.holder piece.knight.white')
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundImage);
  const seen = new Set([await piece()]);
  for (const name of ['Plain', 'Letters']) {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByLabel(name, { exact: true }).check({ force: true });
    await closed(page);
    seen.add(await piece());
    await picture(page, `pieces-${name.toLowerCase()}`);
  }
  assert.equal(seen.size, 3);
  const before = await piece();
  await reload(page);
  assert.equal(await piece(), before);
  await close();
});
