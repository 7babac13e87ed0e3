// The library, the editor and what helps in a game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agree,
  clickMove,
  moves,
  open,
  paste,
  picture,
  serverAndBrowser,
  setEngine,
  skip,
  square,
  until,
  waitForMoves,
  reload,
} from './harness.mjs';
import { newGame } from './faults.mjs';
import { dropClub } from './games.mjs';

const both = serverAndBrowser();

test('games are kept in the library, found again, deleted and brought back', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const list = await dropClub(page);
  await list.getByRole('button', { name: 'Add all to the library' }).click();
  await page.getByText('3 games were added to the library').waitFor();
  await reload(page);
  await page.keyboard.press('o');
  const library = page.getByRole('dialog', { name: 'Library' });
  await library.locator('.a-game').first().waitFor();
  assert.equal(await library.locator('.a-game').count(), 3);
  await picture(page, 'library');
  await library.getByLabel('Search the library').fill('cora');
  assert.equal(await library.locator('.a-game').count(), 1);
  await library.getByLabel('Delete this game').click();
  await library.getByText('0 of 2 games').waitFor();
  await library.getByRole('button', { name: 'Undo' }).click();
  await library.getByText('1 of 3 games').waitFor();
  await library.locator('.a-game', { hasText: 'Cora' }).click();
  await waitForMoves(page, 4);
  assert.deepEqual(await moves(page), ['f3', 'e5', 'g4', 'Qh4#']);
  // What is done with a game is kept with it.
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.getByLabel('Type a move').fill('d5');
  await page.keyboard.press('Enter');
  await page.locator('.variation', { hasText: 'd5' }).waitFor();
  await page.keyboard.press('Escape');
  await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await page.getByText('From a set-up position').waitFor();
  await page.keyboard.press('o');
  await library.locator('.a-game', { hasText: 'Cora' }).click();
  await page.locator('.variation', { hasText: 'd5' }).waitFor();
  // What was played from here in all of them.
  await page.keyboard.press('Home');
  await page.getByText('Explorer: moves of your library').click();
  await page.locator('.explorer-move', { hasText: 'f3' }).waitFor();
  await page.locator('.explorer-move', { hasText: 'd4' }).click();
  await page.locator('.explorer-move', { hasText: 'd5' }).waitFor();
  await close();
});

test('the games of a file are walked through', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await (await dropClub(page)).getByRole('button', { name: 'Anna' }).click();
  await waitForMoves(page, 5);
  await page.getByRole('button', { name: 'Next game' }).click();
  await page.locator('.move', { hasText: 'Qh4#' }).waitFor();
  await page.getByRole('button', { name: 'Next game' }).click();
  await page.locator('.move', { hasText: 'c5' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next game' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Previous game' }).click();
  await page.locator('.move', { hasText: 'Qh4#' }).waitFor();
  await close();
});

test('a position is set up on the board editor', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('dialog', { name: 'Board editor' });
  await editor.waitFor();
  await editor.getByRole('button', { name: 'Analyse this position' }).waitFor();
  await editor.getByRole('button', { name: 'Empty board' }).click();
  await editor.getByRole('button', { name: 'Analyse this position' }).click();
  await editor.getByRole('alert').getByText('king').waitFor();
  const put = async (piece, name) => {
    await editor.getByLabel(`Put a ${piece}`).click();
    const box = await editor.locator('cg-board').boundingBox();
    const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
    await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7 - rank + 0.5) * box.height) / 8);
  };
  await put('white king', 'e1');
  await put('white rook', 'h1');
  await put('black king', 'e8');
  await picture(page, 'editor');
  await editor.getByRole('button', { name: 'Analyse this position' }).click();
  await editor.waitFor({ state: 'detached' });
  await clickMove(page, 'e1', 'g1');
  await waitForMoves(page, 1);
  assert.deepEqual(await moves(page), ['O-O']);
  await close();
});

test('hint, draw offer and a move in advance', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.getByRole('button', { name: 'New game' }).click();
  // Levels answer their first moves at once, from a book: only full strength leaves time for a move in advance.
  await page.getByLabel('Strength').press('End');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('your move').waitFor();
  await page.keyboard.press('i');
  await page.locator('.holder svg line').first().waitFor({ state: 'attached' });
  await page.getByLabel('Offer a draw').click();
  await page.getByRole('alert').getByText('declines').waitFor();
  await clickMove(page, 'e2', 'e4');
  // Once the own move is in the list, before the answer: the next one.
  await waitForMoves(page, 1);
  await clickMove(page, 'd2', 'd3');
  await waitForMoves(page, 4);
  assert.equal((await moves(page))[2], 'd3');
  await close();
});

test('the threat of the opponent is shown', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  // White threatens mate on f7.
  await paste(page, 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3');
  await page.locator('.line .pill').first().waitFor();
  await page.keyboard.press('x');
  await page.locator('.engine-state', { hasText: 'threat' }).waitFor();
  await page.locator('.line .pill').first().getByText('#1').waitFor();
  await page.locator('.pv-move', { hasText: 'Qxf7#' }).first().waitFor();
  await page.keyboard.press('x');
  await page.locator('.engine-state', { hasNotText: 'threat' }).waitFor();
  await close();
});

test('the engine plays both sides, and is stopped', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByLabel('Strength').fill('800');
  await page.getByLabel('Watch', { exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Play' }).click();
  await waitForMoves(page, 3);
  await page.getByLabel('Stop the game').click();
  await page.locator('.line .pill').first().waitFor();
  await close();
});

test('own clock times are taken and a draw by agreement is a result', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByLabel('Own', { exact: true }).check({ force: true });
  await page.getByLabel('Minutes').fill('7');
  await page.getByLabel('Seconds added per move').fill('4');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.locator('.clock', { hasText: '7:00' }).first().waitFor();
  assert.equal(await page.locator('.clock').count(), 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await agree(page, 'Resign');
  await page.getByText('Halcyon won').waitFor();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.locator('.orientation-black').waitFor();
  await page.locator('.clock', { hasText: '7:0' }).first().waitFor();
  await square(page, 'e2');
  await close();
});

test('a game that was reviewed does not ask for its review', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await newGame(page);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await agree(page, 'Resign');
  await page.getByRole('button', { name: 'Review this game' }).click();
  await page.getByRole('button', { name: 'Quick' }).click();
  await page.locator('.accuracy').first().waitFor();
  await page.getByRole('button', { name: 'Rematch' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Review this game' }).count(), 0);
  await close();
});

test('threads and table are set on the page', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  const sent = [];
  page.on('websocket', (socket) => socket.on('framesent', (frame) => sent.push(String(frame.payload))));
  await page.reload();
  await page.locator('.line .pill').first().waitFor();
  await until(() => sent.some((text) => text.includes('"analyse"')));
  assert.equal(
    sent.some((text) => text.includes('resources')),
    false,
  );
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('16', { exact: true }).check({ force: true });
  const two = dialog.getByLabel('2', { exact: true }).and(page.locator('[name=threads]'));
  if (await two.count()) await two.check({ force: true });
  await page.keyboard.press('Escape');
  // The analysis that ran before goes on until the one with the new table takes its place.
  const hash = () => JSON.parse(sent.findLast((text) => text.includes('"analyse"')) ?? '{}').resources?.hash;
  await until(() => hash() === 16);
  await page.waitForFunction(() => document.querySelector('.engine-state')?.textContent.includes('depth'));
  // It is kept, and the analysis goes on with it.
  sent.length = 0;
  await page.reload();
  await page.locator('.line .pill').first().waitFor();
  await until(() => hash() !== undefined);
  assert.equal(hash(), 16);
  await close();
});

test('an analysis stops after its time, and goes on when more lines are wanted', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('group', { name: 'Stop an analysis after' }).getByLabel('5 s', { exact: true }).check({ force: true });
  await page.keyboard.press('Escape');
  await page.locator('.engine-state', { hasText: 'stopped' }).waitFor();
  assert.equal(await page.locator('.line .pill').count(), 3);
  await page.getByLabel('More lines').click();
  await page.waitForFunction(() => document.querySelectorAll('.line .pill').length === 4);
  await page.locator('.engine-state', { hasText: 'stopped' }).waitFor();
  await close();
});

test('messages do not cover what is below the board', { skip }, async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 860, height: 700 },
    { width: 844, height: 390 },
  ]) {
    const { page, close } = await open(both.browser, both.server, { viewport });
    await setEngine(page, false);
    for (const text of ['1. e4 e5 *', '1. d4 d5 *']) {
      await paste(page, text);
      await page.locator('.move', { hasText: text.slice(3, 5) }).waitFor();
    }
    const toast = await page.locator('.toast').boundingBox();
    const controls = await page.locator('.controls').boundingBox();
    const isBeside = toast.x >= controls.x + controls.width;
    const isAbove = toast.y + toast.height <= controls.y;
    assert.ok(isBeside || isAbove, JSON.stringify({ viewport, toast, controls }));
    // The explorer can be opened and the engine be switched on at once; smaller windows scroll.
    if (viewport.width >= 1024) await page.getByText('Explorer: moves of your library').click({ timeout: 5000 });
    await setEngine(page, true);
    await close();
  }
});
