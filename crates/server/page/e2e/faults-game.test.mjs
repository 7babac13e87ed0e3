// Faults of the running game that earlier versions of the board had, each with the steps that showed it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOOLS_MATE, LEGAL, exported, newGame, type, lines, notice, review } from './faults.mjs';
import {
  agree,
  clickMove,
  clickMoveWhenReady,
  moves,
  open,
  paste,
  picture,
  serverAndBrowser,
  setEngine,
  skip,
  startServer,
  waitForMoves,
  connected,
  reload,
} from './harness.mjs';

const both = serverAndBrowser();

test('1: a finished position shows no lines of another one', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, FOOLS_MATE);
  await waitForMoves(page, 4);
  await page.locator('.line .pill').first().waitFor();
  await page.keyboard.press('End');
  await page.locator('.engine-state', { hasText: 'checkmate' }).waitFor();
  // The last message of the stopped search would be here by now.
  await page.waitForTimeout(700);
  assert.equal(await lines(page), 0);
  assert.equal(await page.locator('.holder svg line').count(), 0);
  await page.keyboard.press(' ');
  await page.waitForTimeout(200);
  assert.deepEqual(await moves(page), ['f3', 'e5', 'g4', 'Qh4#']);
  // The same with a switch of the engine right before the step.
  await page.keyboard.press('Home');
  await page.locator('.line .pill').first().waitFor();
  await page.keyboard.press('l');
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(500);
  assert.equal(await lines(page), 0);
  await close();
});

test('2: a typed move obeys the rules of a running game', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await newGame(page, { color: 'Black', clock: '5+3' });
  await waitForMoves(page, 1);
  await type(page, 'e5');
  await waitForMoves(page, 3);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await type(page, 'd4');
  await notice(page, 'Go to the end of the game');
  assert.equal(await page.locator('.variation').count(), 0);
  assert.equal(await page.locator('.clock.running').count(), 1);
  await close();
});

test('2: nobody moves for the engine', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  // The server is held up, so that the engine's move does not come.
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      if (!String(message).includes('"type":"best"')) socket.send(message);
    });
  });
  await reload(page);
  await newGame(page);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  await type(page, 'e5');
  await notice(page, 'It is Halcyon’s move');
  assert.deepEqual(await moves(page), ['e4']);
  await close();
});

test('3: a running game survives a reload, a second tab and a restart of the server', { skip }, async () => {
  const first = await startServer('--token', 'a-token-for-tests');
  const { page } = await open(both.browser, first);
  await newGame(page, { clock: '15+10' });
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 2);
  const before = await moves(page);
  await reload(page);
  await page.getByText('Halcyon 800').first().waitFor();
  assert.deepEqual(await moves(page), before);
  await page.getByRole('button', { name: 'Resign' }).waitFor();
  await page.locator('.clock.running').waitFor();
  // Another tab shows the same game and can go on with it.
  const second = await page.context().newPage();
  await second.goto(first.url);
  await connected(second);
  assert.deepEqual(await moves(second), before);
  await clickMove(second, 'd2', 'd4');
  await waitForMoves(second, 4);
  await waitForMoves(page, 4);
  assert.deepEqual(await moves(page), await moves(second));
  await second.close();
  await page.bringToFront();
  await first.kill();
  await page.locator('.link[data-state=lost]').waitFor();
  const again = await startServer('--token', 'a-token-for-tests', '--port', first.port);
  await connected(page);
  await clickMoveWhenReady(page, 'c2', 'c3');
  await waitForMoves(page, 6);
  await page.context().close();
  await again.stop();
});

test('4: a game that was won or lost goes on after taking back, clock and all', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, '7k/5Q2/6K1/8/8/8/7p/8 w - - 0 1');
  await page.getByText('From a set-up position').waitFor();
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByLabel('5+3', { exact: true }).check({ force: true });
  await page.getByLabel('White', { exact: true }).check({ force: true });
  await page.getByLabel('This position').check({ force: true });
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await type(page, 'Qg7#');
  await page.getByText('You won').waitFor();
  await page.getByRole('button', { name: 'Review this game' }).waitFor();
  await picture(page, 'won');
  await page.keyboard.press('Escape');
  await page.keyboard.press('u');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
  assert.match(await exported(page), /\[Result "\*"\]/);
  await type(page, 'Qf6');
  await page.locator('.clock.running').waitFor();
  await close();
});

test('9: nothing is analysed while the user makes the first move', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.locator('.line .pill').first().waitFor();
  const sent = [];
  page.on('websocket', (socket) => socket.on('framereceived', (frame) => sent.push(frame.payload)));
  await page.reload();
  await page.locator('.line .pill').first().waitFor();
  await newGame(page);
  await page.waitForTimeout(500);
  sent.length = 0;
  await page.waitForTimeout(700);
  assert.equal(sent.filter((text) => String(text).includes('"type":"search"')).length, 0);
  await close();
});

test('11: what would be lost is asked for or can be undone', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await newGame(page);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 2);
  const game = await moves(page);
  const cancel = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const resign = page.getByRole('button', { name: 'Resign' });
  await resign.click();
  await cancel();
  await resign.waitFor();
  await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await cancel();
  await page.keyboard.press('r');
  await cancel();
  assert.deepEqual(await moves(page), game);
  await resign.click();
  await agree(page, 'Resign');
  await page.getByText('Halcyon won').waitFor();
  await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await page.getByText('From a set-up position').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForMoves(page, 2);
  assert.deepEqual(await moves(page), game);
  await page.locator('.moves .move').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete from here' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForMoves(page, 2);
  assert.deepEqual(await moves(page), game);
  await close();
});

test('20: the review and the side of the board survive a reload', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, LEGAL);
  await waitForMoves(page, 13);
  await review(page);
  await page.locator('.accuracy').first().waitFor();
  await page.keyboard.press('f');
  await page.locator('.orientation-black').waitFor();
  await page.reload();
  await page.locator('.orientation-black').waitFor();
  assert.equal(await page.locator('.accuracy').count(), 2);
  await close();
});

test('21: no clock runs while the server is away', { skip }, async () => {
  const first = await startServer('--token', 'a-token-for-tests');
  const { page } = await open(both.browser, first);
  await newGame(page, { clock: '5+3' });
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 2);
  await page.getByText('your move').waitFor();
  await page.locator('.clock.running').waitFor();
  await page.waitForTimeout(500);
  await first.kill();
  await page.locator('.link[data-state=lost]').waitFor();
  assert.equal(await page.locator('.clock.running').count(), 0);
  const time = () => page.locator('.clock').allInnerTexts();
  const before = await time();
  await page.waitForTimeout(1500);
  assert.deepEqual(await time(), before);
  await page.context().close();
});
