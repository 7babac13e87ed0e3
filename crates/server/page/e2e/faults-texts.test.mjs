// Faults of texts and reviews that earlier versions of the board had, each with the steps that showed it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOOLS_MATE, LEGAL, exported, type, notice, review } from './faults.mjs';
import { moves, open, paste, serverAndBrowser, setEngine, skip, waitForMoves } from './harness.mjs';

const both = serverAndBrowser();

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
  await paste(
    page,
    '1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk 0:02:58] Solid. [%csl Gd4,Re5] [%cal Ge2e4] } 2. Nf3 $1 { [%emt 0:00:05] } *',
  );
  await waitForMoves(page, 3);
  assert.equal(await page.getByText('%').count(), 0);
  assert.equal(
    await page
      .locator('.comment')
      .allInnerTexts()
      .then((all) => all.join('|')),
    'Solid.',
  );
  await page.locator('.move', { hasText: 'e5' }).click();
  await page.locator('.move', { hasText: 'e5' }).locator('small', { hasText: '+0.25' }).waitFor();
  await page.locator('.clock', { hasText: '2:58' }).waitFor();
  await page.locator('.holder .cg-shapes circle').first().waitFor({ state: 'attached' });
  await page.locator('.holder .cg-shapes line').first().waitFor({ state: 'attached' });
  const text = (await exported(page)).replace(/\s+/g, ' ');
  for (const part of ['[%eval 0.17] [%clk 0:03:00]', '[%csl Gd4,Re5] [%cal Ge2e4] Solid.', 'Nf3 $1', '[%emt 0:00:05]'])
    assert.ok(text.includes(part), `${part} in ${text}`);
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
  // Read back, it is one game, which begins at its start.
  await page.keyboard.press('End');
  await page.locator('.moves .here', { hasText: 'e5' }).waitFor();
  await paste(page, text);
  await page.locator('.moves .here').waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await exported(page), text);
  // A position without moves is an exercise.
  await paste(page, '[Event "Exercise"]\n[SetUp "1"]\n[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]\n\n{ White to move and win. } *\n');
  await page.getByText('White to move and win.').waitFor();
  await page.getByText('From a set-up position').waitFor();
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
  await page.locator('.holder piece.rook').nth(3).waitFor();
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

test('19: an old notice goes when a game is read', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, 'hello');
  await notice(page, 'no game or position was found');
  await paste(page, FOOLS_MATE);
  await waitForMoves(page, 4);
  assert.equal(await page.getByRole('alert').count(), 0);
  await close();
});
