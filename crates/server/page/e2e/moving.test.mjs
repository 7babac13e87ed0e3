// Moves that are made faster than the server answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  click,
  clickMove,
  clickMoveWhenReady,
  dragMove,
  holdableServer,
  moves,
  open,
  paste,
  selectWhenReady,
  serverAndBrowser,
  setEngine,
  skip,
  square,
  waitForMoves,
} from './harness.mjs';

const both = serverAndBrowser();

/** Waits until this piece, or none, stands on a square of the board. */
const stands = (page, name, wanted) =>
  page.waitForFunction(
    ([key, piece]) => {
      const found = [...document.querySelectorAll('.holder cg-board piece:not(.ghost)')].find(({ cgKey }) => cgKey === key);
      return (found?.className ?? '').startsWith(piece) && Boolean(piece) === Boolean(found);
    },
    [name, wanted],
  );

/** An analysis in which White has played e4, and the server has not answered yet. */
async function analysis() {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const { hold, release } = await holdableServer(page);
  await selectWhenReady(page, 'e2');
  hold();
  await click(page, 'e4');
  return { page, close, hold, release };
}

test('moves that are clicked and dragged before the first is confirmed are made after it', { skip }, async () => {
  const { page, close, release } = await analysis();
  await clickMove(page, 'e7', 'e5');
  await dragMove(page, 'g1', 'f3');
  await clickMove(page, 'b8', 'c6');
  // The board shows them at once.
  await stands(page, 'c6', 'black knight');
  assert.deepEqual(await moves(page), []);
  release();
  await waitForMoves(page, 4);
  assert.deepEqual(await moves(page), ['e4', 'e5', 'Nf3', 'Nc6']);
  assert.equal(await page.getByRole('alert').isVisible(), false);
  await close();
});

test('a piece that was picked up before the answer can be put down after it', { skip }, async () => {
  const { page, close, release } = await analysis();
  await click(page, 'e7');
  release();
  await waitForMoves(page, 1);
  await click(page, 'e5');
  await waitForMoves(page, 2);
  assert.deepEqual(await moves(page), ['e4', 'e5']);
  await close();
});

test('a move that is not legal after the one before it goes back, with those after it', { skip }, async () => {
  const { page, close, release } = await analysis();
  await clickMove(page, 'e7', 'e4');
  await clickMove(page, 'g1', 'f3');
  release();
  await page.getByRole('alert').getByText('not a legal move').waitFor();
  assert.deepEqual(await moves(page), ['e4']);
  for (const [name, piece] of [
    ['e4', 'white pawn'],
    ['e7', 'black pawn'],
    ['g1', 'white knight'],
    ['f3', ''],
  ])
    await stands(page, name, piece);
  // The board is free again.
  await clickMoveWhenReady(page, 'e7', 'e5');
  await waitForMoves(page, 2);
  await close();
});

test('moves that wait are dropped when the board shows something else', { skip }, async () => {
  const { page, close, hold, release } = await analysis();
  release();
  await waitForMoves(page, 1);
  await selectWhenReady(page, 'e7');
  hold();
  await click(page, 'e5');
  await clickMove(page, 'g1', 'f3');
  await page.keyboard.press('ArrowLeft');
  await stands(page, 'e2', 'white pawn');
  release();
  // The answer to what comes last comes last.
  await clickMoveWhenReady(page, 'd2', 'd4');
  await page.locator('.variation', { hasText: 'd4' }).waitFor();
  assert.equal((await moves(page)).join().replace(/\s/g, ' '), 'e4,1. d4');
  await close();
});

test('a move that is made before the legal moves are known is not lost', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const { hold, release } = await holdableServer(page);
  await paste(page, '1. e4 e5 2. Nf3 *');
  await waitForMoves(page, 3);
  hold();
  await page.keyboard.press('End');
  await stands(page, 'f3', 'white knight');
  await clickMove(page, 'b8', 'c6');
  await clickMove(page, 'f1', 'b5');
  release();
  await waitForMoves(page, 5);
  assert.deepEqual(await moves(page), ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5']);
  await close();
});

test('a move is not made in another position than the one it was made in', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await clickMoveWhenReady(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  await selectWhenReady(page, 'g8');
  const { x, y } = await square(page, 'f6');
  // A page that is busy gets both at once, and chessground reports the move after the key.
  const busy = page.evaluate(() => {
    for (const end = performance.now() + 500; performance.now() < end; );
  });
  await Promise.all([busy, page.mouse.click(x, y), page.keyboard.press('ArrowLeft')]);
  await page.waitForTimeout(300);
  await stands(page, 'g8', 'black knight');
  assert.deepEqual(await moves(page), ['e4']);
  assert.equal(await page.getByRole('alert').isVisible(), false, 'nor is it asked about');
  await close();
});

test('a move in advance can be made before the own move is confirmed', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  const { hold, release } = await holdableServer(page);
  await page.keyboard.press('n');
  await page.getByLabel('Strength').press('End');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('your move').waitFor();
  await selectWhenReady(page, 'e2');
  hold();
  await click(page, 'e4');
  await clickMove(page, 'd2', 'd3');
  assert.deepEqual(await moves(page), []);
  release();
  await waitForMoves(page, 4);
  const made = await moves(page);
  assert.deepEqual([made[0], made[2]], ['e4', 'd3']);
  await close();
});
