// The library: files of any length go into it, the same game only once, and it stays as it was left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  moves,
  open,
  paste,
  drop,
  picture,
  serverAndBrowser,
  setEngine,
  skip,
  waitForMoves,
  noScrollingSideways,
  reload,
} from './harness.mjs';
import { type } from './faults.mjs';
import { CLUB, dropClub, gameText, manyGames } from './games.mjs';

const both = serverAndBrowser();

const library = (page) => page.getByRole('dialog', { name: 'Library' });

async function openLibrary(page) {
  await page.keyboard.press('o');
  await library(page).locator('.a-game').first().waitFor();
  return library(page);
}

test('a file with thousands of games is read as a whole', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await setEngine(page, false);
  const text = manyGames(9000);
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
  const lines = await page.locator('.collection button').evaluateAll((all) =>
    all.map((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
    }),
  );
  assert.deepEqual(lines, [1, 1, 1]);
  await noScrollingSideways(page);
  await page.getByRole('button', { name: 'Next game' }).click();
  await page.getByText('White 8322').first().waitFor();
  await close();
});

test('all games of a file are added, and none a second time', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const text = CLUB + manyGames(700);
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
  await (await dropClub(page)).getByRole('button', { name: 'Anna' }).click();
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
  await paste(page, gameText('Anna', 'Bert', '1. d4 d5 2. c4 e6 3. Nc3', '1/2-1/2'));
  await page.locator('.move', { hasText: 'Nc3' }).waitFor();
  await paste(page, gameText('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1'));
  await page.locator('.variation', { hasText: 'e4' }).waitFor();
  await page.getByRole('alert').getByText('It is shown as you left it').waitFor();
  // A game that has gone on since is not what was read.
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: /^f3/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete from here' }).click();
  await page.getByText('Moves were deleted').waitFor();
  await paste(page, gameText('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1'));
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
  await drop(page, 'club.pgn', Buffer.from(CLUB.replaceAll('[Result', '[ECO "B20"]\n[Result')));
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
  await (await dropClub(page)).getByRole('button', { name: 'Cora' }).click();
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

test('a file is walked through after a reload and in another tab, until another game takes its place', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const next = (tab) => tab.getByRole('button', { name: 'Next game' });
  await (await dropClub(page)).getByRole('button', { name: 'Anna' }).click();
  await next(page).click();
  await page.locator('.move', { hasText: 'Qh4#' }).waitFor();
  await reload(page);
  await page.getByRole('button', { name: '2 of 3' }).waitFor();
  await next(page).click();
  await page.locator('.move', { hasText: 'c5' }).waitFor();
  await reload(page);
  await page.getByRole('button', { name: '3 of 3' }).click();
  await page.getByRole('dialog', { name: '3 games' }).getByRole('button', { name: 'Cora' }).click();
  await page.locator('.move', { hasText: 'Qh4#' }).waitFor();
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('halcyon.board')).place.index === 1);
  const other = await page.context().newPage();
  await other.goto(both.server.url);
  await other.getByRole('button', { name: '2 of 3' }).waitFor();
  await next(other).click();
  await other.locator('.move', { hasText: 'c5' }).waitFor();
  await page.getByRole('button', { name: '3 of 3' }).waitFor();
  await other.close();
  await page.bringToFront();
  // What replaces the game is not of the file, and takes what is kept of it with it.
  await paste(page, gameText('Gerd', 'Hans', '1. c4', '*'));
  await page.locator('.collection').waitFor({ state: 'hidden' });
  await reload(page);
  await page.locator('.move', { hasText: 'c4' }).waitFor();
  assert.equal(await page.locator('.collection').isVisible(), false);
  await page.waitForFunction(
    () =>
      new Promise((resolve) => {
        indexedDB.open('halcyon').onsuccess = ({ target: { result } }) => {
          result.transaction('files').objectStore('files').count().onsuccess = (event) => resolve(event.target.result === 0);
        };
      }),
  );
  await close();
});

test('a file that was not read to its end before a reload is read on after it', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await drop(page, 'many.pgn', Buffer.from(manyGames(6000)));
  await page.locator('.a-game').first().click();
  await page.getByRole('button', { name: /^1 of \d+/ }).waitFor();
  await reload(page);
  await page.getByRole('button', { name: '1 of 6000' }).waitFor();
  await page.getByRole('button', { name: 'Next game' }).click();
  await page.getByText('White 2').first().waitFor();
  await page.getByRole('button', { name: '2 of 6000' }).waitFor();
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
