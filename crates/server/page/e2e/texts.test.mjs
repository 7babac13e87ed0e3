// Games and positions that come in and go out as texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickMove, drop, moves, open, paste, picture, serverAndBrowser, setEngine, skip, waitForMoves } from './harness.mjs';

const both = serverAndBrowser();

const game = (white, black, text, result, event = 'Club evening', date = '2024.05.17') =>
  `[Event "${event}"]\n[Date "${date}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;

const GAMES =
  game(
    'Légal, Kermur',
    'Saint Brie',
    '1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5#',
    '1-0',
    'Paris',
    '1750.??.??',
  ) +
  game('Anna', 'Bert', '1. d4 d5 2. c4 e6 3. Nc3', '1/2-1/2') +
  game('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1');

test('a file that is dropped is read, in old encodings as well', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await drop(page, 'old.pgn', Buffer.from(game('Müller', 'Béla', '1. e4 c5', '1-0'), 'latin1'));
  await waitForMoves(page, 2);
  await page.getByText('Müller').first().waitFor();
  await page.getByText('Béla').first().waitFor();
  await drop(page, 'new.pgn', Buffer.from(game('Żak', 'Ивáн', '1. d4 Nf6 2. c4', '*')));
  await waitForMoves(page, 3);
  await page.getByText('Ивáн').first().waitFor();
  await drop(page, 'position.fen', Buffer.from('8/P6k/8/8/8/8/7K/8 w - - 0 1\n'));
  await page.getByText('From a set-up position').waitFor();
  await drop(page, 'picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  await page.getByRole('alert').getByText('game').waitFor();
  await close();
});

test('one of many games is chosen', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await drop(page, 'games.pgn', Buffer.from(GAMES));
  const window = page.getByRole('dialog', { name: '3 games' });
  await window.waitFor();
  const first = window.getByRole('button', { name: 'Légal, Kermur' });
  assert.match(await first.innerText(), /1-0[^]*Paris · 1750 · 7 moves/);
  assert.match(await window.getByRole('button', { name: 'Anna' }).innerText(), /½-½[^]*2024\.05\.17 · 3 moves/);
  await picture(page, 'games');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await waitForMoves(page, 4);
  assert.deepEqual(await moves(page), ['f3', 'e5', 'g4', 'Qh4#']);
  // Whoever closes the window keeps the game.
  await paste(page, GAMES);
  await window.waitFor();
  await page.keyboard.press('Escape');
  await window.waitFor({ state: 'detached' });
  assert.deepEqual(await moves(page), ['f3', 'e5', 'g4', 'Qh4#']);
  await close();
});

test('position and game are copied', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { permissions: ['clipboard-read', 'clipboard-write'] });
  await setEngine(page, false);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  await clickMove(page, 'c7', 'c5');
  await waitForMoves(page, 2);
  await page.keyboard.press('p');
  const window = page.getByRole('dialog', { name: 'Import and export' });
  const copied = async (index) => {
    const button = window.getByRole('button', { name: 'Copy' }).nth(index);
    await button.click();
    // That button, not one that was clicked a moment ago.
    await button.and(page.locator('.done')).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied(0), 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  const text = await copied(1);
  assert.match(text, /\[Result "\*"\]\n\n1\. e4 c5 \*\n$/);
  await picture(page, 'share');
  await page.keyboard.press('Escape');
  // What was copied can be pasted.
  await page.keyboard.press('Home');
  await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await page.getByText('From a set-up position').waitFor();
  await paste(page, text);
  await waitForMoves(page, 2);
  assert.deepEqual(await moves(page), ['e4', 'c5']);
  await close();
});

test('a click on the graph goes to the move', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, game('Anna', 'Bert', '1. f3 e5 2. g4 Qh4#', '0-1'));
  await waitForMoves(page, 4);
  // Each position is looked at for a moment, so that there is something to draw.
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
    await page.locator('.line .pill').first().waitFor();
  }
  // Nothing moves any more: the graph lies below the lines, whose number changes.
  await setEngine(page, false);
  await page.locator('.engine-state', { hasText: 'stopped' }).waitFor();
  const click = async (share) => {
    const box = await page.locator('.graph svg').boundingBox();
    await page.mouse.click(box.x + share * (box.width - 2) + 1, box.y + box.height / 2);
  };
  const here = () => page.locator('.move.here > span').innerText();
  await click(0.5);
  await page.locator('.move.here', { hasText: 'e5' }).waitFor();
  await click(0.25);
  await page.locator('.move.here', { hasText: 'f3' }).waitFor();
  await click(1);
  await page.locator('.move.here', { hasText: 'Qh4#' }).waitFor();
  assert.equal(await here(), 'Qh4#');
  await click(0);
  await page.waitForFunction(() => !document.querySelector('.move.here'));
  await close();
});

test('what quiescence has found of a line is drawn differently', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  // Captures hang everywhere, so some line ends in quiescence.
  await paste(page, 'r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8');
  await page.getByLabel('More lines').click();
  // A line that stays: stopped while a part of it comes from quiescence.
  const row = page.locator('.line', { has: page.locator('.pv-move.quiet') }).first();
  do {
    await setEngine(page, true);
    await row.waitFor();
    await setEngine(page, false);
    await page.locator('.engine-state', { hasText: 'stopped' }).waitFor();
  } while ((await row.count()) === 0);
  const seen = await row.evaluate((line) => {
    const [plain, warm] = ['.pv-move:not(.quiet)', '.pv-move.quiet'].map((name) => {
      const style = getComputedStyle(line.querySelector(name));
      return `${style.color} ${style.fontStyle}`;
    });
    // The mark stands between the two parts, and nothing after it is of the main search.
    const after = [...line.querySelectorAll('.divide ~ .pv-move')];
    return {
      differs: plain !== warm,
      marks: line.querySelectorAll('.divide').length,
      rest: after.length > 0 && after.every((one) => one.classList.contains('quiet')),
    };
  });
  assert.deepEqual(seen, { differs: true, marks: 1, rest: true });
  // The board of the leaf shows these moves as arrows.
  await row.locator('.leaf').hover();
  await page.locator('.popup svg line').first().waitFor({ state: 'attached' });
  await picture(page, 'quiescence');
  await close();
});

test('games with null moves are shown, reviewed and exported', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, '[White "Anna"]\n\n1. e4 -- 2. d4 {Two moves in a row.} (2. Z0 e5 3. f4) 2... Z0 3. Nf3 Nf6 *');
  await waitForMoves(page, 9);
  await setEngine(page, false);
  assert.deepEqual((await moves(page)).slice(0, 3), ['e4', '--', 'd4']);
  await page.locator('.move.cell', { hasText: '--' }).first().click();
  // Nothing moved, and nothing is asked about it.
  assert.equal(await page.locator('.holder square.last-move').count(), 0);
  assert.equal(await page.locator('.why-button').isVisible(), false);
  await page.locator('[role=status]', { hasText: 'Black: passes' }).waitFor({ state: 'attached' });
  await setEngine(page, true);
  await page.locator('.line .pill').first().waitFor();
  await setEngine(page, false);
  const exported = async () => {
    await page.keyboard.press('p');
    const text = await page.getByLabel('PGN', { exact: true }).inputValue();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return text.replace(/\s+/g, ' ');
  };
  const text = await exported();
  assert.ok(text.includes('1. e4 -- 2. d4 { Two moves in a row. } (2. -- e5 3. f4) 2... -- 3. Nf3 Nf6 *'), text);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: /Quick/ }).click();
  await page.locator('.side-review .accuracy').first().waitFor();
  assert.match(await exported(), /1\. e4 .*-- .*2\. d4 /);
  // A move can be left out by typing it, but not in a game.
  await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await page.getByText('From a set-up position').waitFor();
  await page.getByLabel('Type a move').fill('--');
  await page.keyboard.press('Enter');
  await waitForMoves(page, 1);
  assert.deepEqual(await moves(page), ['--']);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('Halcyon 1500').first().waitFor();
  await page.getByLabel('Type a move').fill('--');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Nobody may pass in a game').waitFor();
  await close();
});
