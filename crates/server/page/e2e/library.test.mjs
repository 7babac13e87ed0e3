// The library: files of any length go into it, the same game only once, and it stays as it was left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moves, open, paste, drop, picture, serverAndBrowser, setEngine, skip, waitForMoves, noScrollingSideways } from './harness.mjs';
import { type } from './faults.mjs';

const both = serverAndBrowser();

const game = (white, black, text, result) =>
  `[Event "Club"]\n[Date "2024.05.17"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;
const GAMES =
  game('Anna', 'Bert', '1. d4 d5 2. c4 e6 3. Nc3', '1/2-1/2') +
  game('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1') +
  game('Eva', 'Fritz', '1. e4 c5', '1-0');

const library = (page) => page.getByRole('dialog', { name: 'Library' });

async function openLibrary(page) {
  await page.keyboard.press('o');
  await library(page).locator('.a-game').first().waitFor();
  return library(page);
}

test('a file with thousands of games is read as a whole', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await setEngine(page, false);
  let text = '';
  for (let index = 1; index <= 9000; index++) text += game(`White ${index}`, `Black ${index}`, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6', '1-0');
  assert.ok(text.length > 1 << 20);
  await drop(page, 'thousands.pgn', Buffer.from(text));
  const list = page.getByRole('dialog', { name: '9000 games' });
  await list.getByText('The first 500 of 9000 games are listed').waitFor();
  assert.equal(await list.locator('.a-game').count(), 500);
  await picture(page, 'games-phone');
  await noScrollingSideways(page);
  await list.getByLabel('Search the games').fill('black 8321');
  assert.equal(await list.locator('.a-game').count(), 1);
  await list.locator('.a-game').click();
  await waitForMoves(page, 6);
  await page.getByText('White 8321').first().waitFor();
  await page.getByRole('button', { name: '8321 of 9000' }).waitFor();
  await page.getByRole('button', { name: 'Next game' }).click();
  await page.getByText('White 8322').first().waitFor();
  await close();
});

test('all games of a file are added, and none a second time', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  let text = GAMES;
  for (let index = 1; index <= 700; index++) text += game(`White ${index}`, `Black ${index}`, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6', '1-0');
  const add = async (said) => {
    await drop(page, 'club.pgn', Buffer.from(text));
    await page.getByRole('dialog', { name: '703 games' }).getByRole('button', { name: 'Add all to the library' }).click();
    await page.getByRole('status').getByText(said).waitFor();
  };
  await add('703 games were added to the library');
  await add('0 games were added to the library, 703 games were there already');
  await (await openLibrary(page)).getByText('703 of 703 games, the first 200 are listed').waitFor();
  await library(page).getByLabel('Search the library').fill('white 699');
  assert.match(await library(page).locator('.a-game').innerText(), /White 699[^]*Ruy Lopez/);
  await close();
});

test('a game that is read again is the one in the library, as it was left', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await drop(page, 'club.pgn', Buffer.from(GAMES));
  await page.getByRole('dialog', { name: '3 games' }).getByRole('button', { name: 'Anna' }).click();
  await waitForMoves(page, 5);
  for (const [button, mark] of [
    ['Next game', 'Qh4#'],
    ['Previous game', 'Nc3'],
    ['Next game', 'Qh4#'],
  ]) {
    await page.getByRole('button', { name: button }).click();
    await page.locator('.move', { hasText: mark }).waitFor();
  }
  await page.keyboard.press('Home');
  await type(page, 'e4');
  await page.locator('.variation', { hasText: 'e4' }).waitFor();
  await page.keyboard.press('Escape');
  await paste(page, game('Anna', 'Bert', '1. d4 d5 2. c4 e6 3. Nc3', '1/2-1/2'));
  await page.locator('.move', { hasText: 'Nc3' }).waitFor();
  await paste(page, game('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1'));
  await page.locator('.variation', { hasText: 'e4' }).waitFor();
  await page.getByRole('alert').getByText('It is shown as you left it').waitFor();
  // A game that has gone on since is not what was read.
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: /^f3/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete from here' }).click();
  await page.getByText('Moves were deleted').waitFor();
  await paste(page, game('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1'));
  await page.locator('.move', { hasText: 'Qh4#' }).waitFor();
  assert.deepEqual(await moves(page), ['f3', 'e5', 'g4', 'Qh4#']);
  const entries = (await openLibrary(page)).locator('.a-game');
  await page.getByText('3 of 3 games').waitFor();
  assert.deepEqual((await entries.locator('strong:first-of-type').allInnerTexts()).filter((name) => name === 'Anna').length, 1);
  await close();
});

test('a game of the library keeps the name of its opening when it is opened', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  // A code is no name.
  await drop(page, 'club.pgn', Buffer.from(GAMES.replaceAll('[Result', '[ECO "B20"]\n[Result')));
  await page.getByRole('dialog', { name: '3 games' }).getByRole('button', { name: 'Add all to the library' }).click();
  await page.getByText('3 games were added to the library').waitFor();
  const row = (await openLibrary(page)).locator('.a-game', { hasText: 'Eva' });
  assert.match(await row.innerText(), /Sicilian/);
  await row.click();
  await waitForMoves(page, 2);
  // It is the game used last now, and saved again.
  await openLibrary(page);
  assert.match(await library(page).locator('.a-game').first().innerText(), /Eva[^]*Sicilian/);
  await close();
});

test('the buttons of a file go with its games, and come back with them', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await drop(page, 'club.pgn', Buffer.from(GAMES));
  await page.getByRole('dialog', { name: '3 games' }).getByRole('button', { name: 'Cora' }).click();
  await page.getByRole('button', { name: '2 of 3' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('your move').waitFor();
  await page.locator('.collection').waitFor({ state: 'hidden' });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: '2 of 3' }).waitFor();
  await page.locator('.move', { hasText: 'Qh4#' }).waitFor();
  await page.getByRole('button', { name: 'Next game' }).click();
  await page.locator('.move', { hasText: 'c5' }).waitFor();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: '2 of 3' }).waitFor();
  await close();
});

test('own times beyond the bounds are cut to them', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New game' });
  await dialog.getByLabel('Own', { exact: true }).check({ force: true });
  await dialog.getByLabel('Minutes').fill('1e300');
  await dialog.getByLabel('Seconds added per move').fill('1e9');
  await dialog.getByRole('button', { name: 'Play' }).click();
  await page.getByText('your move').waitFor();
  assert.equal(await page.locator('.clock').first().innerText(), '5:00:00');
  await type(page, 'e4');
  // The server understands the times: it answers.
  await waitForMoves(page, 2);
  await close();
});
