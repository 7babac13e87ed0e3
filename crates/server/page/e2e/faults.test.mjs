// Faults that were found on earlier versions of the board, each with the steps that showed it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, agree, clickMove, clickMoveWhenReady, moves, noScrollingSideways, open, paste, picture, serverAndBrowser, setEngine, skip, square, startServer, waitForMoves } from './harness.mjs';

const both = serverAndBrowser();

const FOOLS_MATE = '1. f3 e5 2. g4 Qh4# 0-1';
const LEGAL = '[White "Anna"]\n[Black "Bert"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n';

/** The PGN of the game on the board, as it is exported. */
async function exported(page) {
  await page.keyboard.press('p');
  const text = await page.getByLabel('PGN', { exact: true }).inputValue();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return text;
}

async function newGame(page, { elo = '800', clock = 'None', color = 'White' } = {}) {
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByLabel('Strength').fill(elo);
  await page.getByLabel(clock, { exact: true }).check({ force: true });
  await page.getByLabel(color, { exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Halcyon 800').first().waitFor();
}

async function type(page, text) {
  await page.getByLabel('Type a move').fill(text);
  await page.keyboard.press('Enter');
}

const lines = (page) => page.locator('.line .pill').count();
const notice = (page, text) => page.getByRole('alert').getByText(text).waitFor();

async function review(page, effort = 'Quick') {
  await page.keyboard.press('r');
  await page.getByRole('button', { name: effort }).click();
}

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
  await page.reload();
  await page.locator('.link[data-state=open]').waitFor({ state: 'attached' });
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
  await page.reload();
  await page.locator('.link[data-state=open]').waitFor({ state: 'attached' });
  await page.getByText('Halcyon 800').first().waitFor();
  assert.deepEqual(await moves(page), before);
  await page.getByLabel('Resign').waitFor();
  await page.locator('.clock.running').waitFor();
  // Another tab shows the same game and can go on with it.
  const second = await page.context().newPage();
  await second.goto(first.url);
  await second.locator('.link[data-state=open]').waitFor({ state: 'attached' });
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
  await page.locator('.link[data-state=open]').waitFor({ state: 'attached' });
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

test('5: a second review replaces the first', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, LEGAL);
  await waitForMoves(page, 13);
  for (let round = 0; round < 2; round++) {
    await review(page);
    await page.locator('.review-progress').waitFor();
    await page.locator('.accuracy').first().waitFor();
    await page.locator('.review-progress').waitFor({ state: 'detached' });
  }
  const text = await exported(page);
  const blunder = /Bxd1 \$4 \{([^}]*)\}/.exec(text.replace(/\s+/g, ' '));
  assert.equal(blunder?.[1].match(/was best/g)?.length, 1, text);
  // Read back and reviewed again, it is still the same.
  await paste(page, text);
  await page.waitForFunction(() => document.querySelector('.accuracy') === null);
  await review(page);
  await page.locator('.accuracy').first().waitFor();
  const again = await exported(page);
  const twice = /Bxd1 \$4 \{([^}]*)\}/.exec(again.replace(/\s+/g, ' '));
  assert.equal(twice?.[1].match(/was best/g)?.length, 1, again);
  assert.equal(again.match(/\$\d \$\d/), null, again);
  await close();
});

test('6: comments of other programs are understood, shown and kept', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await paste(page, '1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk 0:02:58] Solid. [%csl Gd4,Re5] [%cal Ge2e4] } 2. Nf3 $1 { [%emt 0:00:05] } *');
  await waitForMoves(page, 3);
  assert.equal(await page.getByText('%').count(), 0);
  assert.equal(await page.locator('.comment').allInnerTexts().then((all) => all.join('|')), 'Solid.');
  await page.locator('.move', { hasText: 'e5' }).click();
  await page.locator('.move', { hasText: 'e5' }).locator('small', { hasText: '+0.25' }).waitFor();
  await page.locator('.clock', { hasText: '2:58' }).waitFor();
  await page.locator('.holder .cg-shapes circle').first().waitFor({ state: 'attached' });
  await page.locator('.holder .cg-shapes line').first().waitFor({ state: 'attached' });
  const text = (await exported(page)).replace(/\s+/g, ' ');
  for (const part of ['[%eval 0.17] [%clk 0:03:00]', '[%csl Gd4,Re5] [%cal Ge2e4] Solid.', 'Nf3 $1', '[%emt 0:00:05]']) assert.ok(text.includes(part), `${part} in ${text}`);
  await close();
});

test('7: nothing of a PGN is lost or invented', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const long = 'word '.repeat(14);
  await paste(page, `[White "Anna"]\n[Result "won"]\n\n{ Before the game. } 1. e4 { ${long}[Event "x"] is only text } e5 *`);
  await waitForMoves(page, 2);
  await page.getByText('Before the game.').waitFor();
  const text = await exported(page);
  assert.match(text, /\[Date "\?\?\?\?\.\?\?\.\?\?"\]/);
  assert.match(text, /\[Site "\?"\]/);
  assert.match(text, /\{ Before the game\. \} 1\. e4/);
  assert.match(text, /\[Result "\*"\]\n\n.*\n[^[].* \*\n$/);
  // Read back, it is one game.
  await paste(page, text);
  await page.waitForTimeout(300);
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await exported(page), text);
  // A position without moves is an exercise.
  await paste(page, '[Event "Exercise"]\n[SetUp "1"]\n[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]\n\n{ White to move and win. } *\n');
  await page.getByText('White to move and win.').waitFor();
  await page.getByText('From a set-up position').waitFor();
  await close();
});

test('8: scores in the list follow the search', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  const shown = () => page.evaluate(() => [document.querySelector('.moves .here small')?.textContent, document.querySelector('.line .pill')?.textContent]);
  for (let round = 0; round < 5; round++) {
    await page.waitForTimeout(300);
    const [kept, live] = await shown();
    assert.equal(kept, live);
  }
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

test('12: variations that are added during a review stay', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, LEGAL);
  await waitForMoves(page, 13);
  await review(page, 'Thorough');
  await page.locator('.review-progress').waitFor();
  await page.keyboard.press('Home');
  await type(page, 'b4');
  await page.locator('.variation', { hasText: 'b4' }).waitFor();
  await page.locator('.accuracy').first().waitFor();
  await page.locator('.variation', { hasText: 'b4' }).first().waitFor();
  await page.locator('.move.blunder', { hasText: 'Bxd1' }).waitFor();
  await close();
});

test('13: the graph of nodes per second is that of the counters', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  // A search at a constant speed, whose messages come a little late now and then.
  const message = (id, index) => ({
    type: 'search', id, state: 'running', depth: 5, seldepth: 9, nodes: index * 1300, nps: 10_000, time_ms: index * 120 + (index % 3) * 90, hashfull: 1, tablebase_hits: 0, lines: [],
    statistics: {
      running: true, time_ms: index * 120, nodes_by_kind: { pv: index * 300, cut: index * 700, quiescence: index * 200 }, transposition_table: { hits: 1 }, cutoffs_by_stage: {}, pruning_of_nodes: {}, pruning_of_moves: {},
      first_move_share: 0.9, iterations: [], clock: { soft_ms: null, wanted_ms: null, hard_ms: null }, stop: null,
    },
  });
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => socket.send(text));
    socket.onMessage((text) => {
      const { type, id, statistics } = JSON.parse(text);
      if (type !== 'analyse') server.send(text);
      else if (statistics) for (let index = 1; index < 40; index++) setTimeout(() => socket.send(JSON.stringify(message(id, index))), index * 15);
    });
  });
  await page.reload();
  await page.locator('.link[data-state=open]').waitFor({ state: 'attached' });
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

test('14: UCI text and the usual slips are understood', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  for (const text of ['e2e4 e7e5 g1f3', 'position startpos moves e2e4 e7e5 g1f3']) {
    await paste(page, text);
    await waitForMoves(page, 3);
    assert.deepEqual(await moves(page), ['e4', 'e5', 'Nf3'], text);
    await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
  }
  await paste(page, '"r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1"');
  await page.waitForTimeout(300);
  await type(page, 'o-o');
  await waitForMoves(page, 1);
  await type(page, 'e8-d7');
  await waitForMoves(page, 2);
  assert.deepEqual(await moves(page), ['O-O', 'Kd7']);
  await paste(page, '8/P6k/8/8/8/8/7K/8 w - - 0 1');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
  await type(page, 'a8');
  await waitForMoves(page, 1);
  assert.deepEqual(await moves(page), ['a8=Q']);
  await close();
});

test('15: the current move stays in view', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 1280, height: 720 } });
  const game = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 *';
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
  await page.waitForTimeout(200);
  const inside = await page.evaluate(() => {
    const [list, move] = ['.moves', '.moves .here'].map((name) => document.querySelector(name).getBoundingClientRect());
    return move.top >= list.top && move.bottom <= list.bottom;
  });
  assert.ok(inside);
  await close();
});

test('16: the graph leaves gaps and reaches the mate', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, LEGAL);
  await waitForMoves(page, 13);
  // A position that is left before its first score has none: wait for the score of the start.
  await page.locator('.line .pill').first().waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.graph .curve').first().waitFor({ state: 'attached' });
  // Start and first move are known, and the mate at the end: nothing lies between.
  const curves = await page.locator('.graph .curve').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  assert.equal(curves.length, 1);
  assert.ok(Number(/L([\d.]+)/.exec(curves[0])[1]) < 100, curves[0]);
  const dots = await page.locator('.graph .dot.lonely').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  assert.ok(dots.some((dot) => dot.startsWith('M600.0 0.0')), dots.join());
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
  assert.match(await exported(page), /1\. e4 \$3 \{ (\[%eval [^\]]*\] )?A good start \}/);
  await close();
});

test('19: an old notice goes when a game is read', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, 'hello');
  await notice(page, 'no game or position was found');
  await paste(page, FOOLS_MATE);
  await waitForMoves(page, 4);
  assert.equal(await page.getByRole('alert').count(), 0);
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
    for (const [key, name] of [['n', 'New game'], ['settings', 'Settings'], ['p', 'Import and export'], ['o', 'Library'], ['r', 'Review the game'], ['?', 'Help']]) {
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
