// What people write into a game: comments, symbols, arrows, the order of variations. And sounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickMove, moves, open, paste, serverAndBrowser, setEngine, skip, square, waitForMoves } from './harness.mjs';

const both = serverAndBrowser();

/** Draws from one square to another with the right button. */
async function draw(page, from, to) {
  const [a, b] = [await square(page, from), await square(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
}

async function menu(page, item) {
  await page.getByLabel('Comment, symbols and more').click();
  await item(page.getByRole('menu')).click();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
}

test('comments, symbols, arrows and the order of variations are written and exported', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await paste(page, '1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 *');
  await waitForMoves(page, 6);
  await page.locator('.variation .move', { hasText: 'f4' }).first().click();
  await menu(page, (list) => list.getByRole('menuitem', { name: 'Make this the main line' }));
  await page.locator('.variation .move', { hasText: 'Nf3' }).waitFor();
  assert.deepEqual((await moves(page)).slice(0, 3), ['e4', 'e5', 'f4']);
  await menu(page, (list) => list.getByRole('menuitem', { name: 'Add comment…' }));
  await page.getByRole('dialog').getByLabel('Comment').fill('The {old} gambit.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.locator('.comment', { hasText: 'gambit.' }).waitFor();
  await menu(page, (list) => list.getByRole('menuitemcheckbox', { name: 'interesting move' }));
  await menu(page, (list) => list.getByRole('menuitemcheckbox', { name: 'unclear position' }));
  await page.locator('.moves .here', { hasText: 'f4!? ∞' }).waitFor();
  // One symbol for the move: another takes its place.
  await menu(page, (list) => list.getByRole('menuitemcheckbox', { name: 'good move' }));
  await page.locator('.moves .here', { hasText: 'f4! ∞' }).waitFor();
  await draw(page, 'g1', 'f3');
  await page.keyboard.down('Shift');
  await draw(page, 'd8', 'h4');
  await page.keyboard.up('Shift');
  await draw(page, 'e5', 'e5');
  await page.keyboard.press('p');
  const text = await page.getByRole('dialog').getByLabel('PGN').inputValue();
  const flat = text.replace(/\s+/g, ' ');
  assert.match(flat, /2\. f4 \$1 \$13 \{ \[%csl Ge5\] \[%cal Gg1f3,Rd8h4\] The \(old\) gambit\. \} \(2\. Nf3 Nc6\) 2\.\.\. exf4/);
  await page.keyboard.press('Escape');
  // It is the same after it was read again.
  await paste(page, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1');
  await page.getByText('From a set-up position').waitFor();
  await paste(page, text);
  await waitForMoves(page, 6);
  await page.keyboard.press('p');
  assert.equal(await page.getByRole('dialog').getByLabel('PGN').inputValue(), text);
  await close();
});

test('moves are heard when sounds are on, and not before', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  await page.evaluate(() => {
    globalThis.heard = 0;
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...when) {
      globalThis.heard += 1;
      start.apply(this, when);
    };
  });
  const heard = () => page.evaluate(() => globalThis.heard);
  await clickMove(page, 'e2', 'e4');
  await waitForMoves(page, 1);
  assert.equal(await heard(), 0);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Sounds of moves' }).getByLabel('On', { exact: true }).check({ force: true });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await clickMove(page, 'd7', 'd5');
  await waitForMoves(page, 2);
  assert.equal(await heard(), 1);
  await clickMove(page, 'e4', 'd5');
  await waitForMoves(page, 3);
  assert.equal(await heard(), 2);
  await close();
});
