// The statistics of the search and its recorded tree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickMove, moves, open, paste, picture, serverAndBrowser, skip, until, waitForMoves } from './harness.mjs';

const both = serverAndBrowser();

/** What stands on the board. */
function placement(page) {
  return page.locator('.holder cg-board piece').evaluateAll((pieces) =>
    pieces
      .map((piece) => `${piece.className} ${piece.style.transform}`)
      .sort()
      .join(),
  );
}

/** Whether all of it can be seen without scrolling. */
function isInView(locator) {
  return locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

test('the statistics are alive, and a tree unfolds', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { reducedMotion: 'reduce' });
  await page.keyboard.press('h');
  await page.locator('.bars').first().waitFor();
  const nodes = () => page.locator('.engine-state').innerText();
  const known = await nodes();
  await page.waitForFunction((text) => document.querySelector('.engine-state').innerText !== text, known);
  await page.waitForFunction(() => document.querySelectorAll('.statistics rect').length > 3);
  await page.getByLabel('Depth of the recorded search').selectOption('4');
  await page.getByRole('button', { name: 'Record' }).click();
  await page.locator('.node').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.node').length > 10);
  await page.locator('.node .why', { hasText: /[a-z]/ }).first().waitFor();
  // A node puts its position on the board and says what became of it. The lines of another one are not beside it.
  await page.locator('.line .pill').first().waitFor();
  const before = await placement(page);
  await page.locator('.tree ul ul .node').first().click();
  await page.locator('.node-words', { hasText: 'with the window' }).waitFor();
  await page.locator('.peek', { hasText: 'Recorded: after' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.line').length === 0);
  await until(async () => (await placement(page)) !== before);
  assert.equal(await page.locator('.node-detail .mini').isVisible(), false);
  // It is looked at only: no piece moves, and Escape leads back.
  await clickMove(page, 'd2', 'd4');
  await page.keyboard.press('Escape');
  await page.locator('.peek').waitFor({ state: 'hidden' });
  await page.locator('.line .pill').first().waitFor();
  assert.equal(await placement(page), before);
  assert.deepEqual(await moves(page), []);
  await page.locator('.tree ul ul .node').first().click();
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await page.locator('.line .pill').first().waitFor();
  await page.locator('.tree ul ul .node').first().click();
  await page.getByRole('button', { name: 'Add this line to the game' }).click();
  await waitForMoves(page, 1);
  await page.locator('.peek').waitFor({ state: 'hidden' });
  await picture(page, 'tree');
  await close();
});

test('a move that was pruned is found, and searched without the rule', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, 'r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4');
  await page.getByText('From a set-up position').waitFor();
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'Record' }).click();
  const field = page.getByLabel('Move that was not searched');
  await field.fill('Ka5');
  await page.keyboard.press('Enter');
  await page.getByText('not legal at any recorded node').waitFor();
  await field.fill('a6');
  await page.keyboard.press('Enter');
  await page.locator('.pruning', { hasText: /a6 was left out after .* (pruning|futility|Razoring|ProbCut)/i }).waitFor();
  // A search without a move is no move of the way to the node.
  assert.doesNotMatch(await page.locator('.pruning').innerText(), /[^(]without [A-Z]/);
  await page.getByRole('button', { name: 'Show the node' }).click();
  await page.locator('.peek', { hasText: 'Recorded: after' }).waitFor();
  await page.getByRole('button', { name: 'Search again without this rule' }).click();
  await page.locator('.difference', { hasText: 'a6 searched' }).waitFor();
  await page.getByText(/The same search without [^.]*(pruning|futility|razoring|ProbCut|late captures)\./).waitFor();
  // Where moves were pruned, nobody says that all were searched.
  await page.locator('.node .why', { hasText: 'no cutoff' }).first().waitFor();
  assert.equal(await page.locator('.node .why', { hasText: 'all moves searched' }).count(), 0);
  await page.getByText(/The best move is (the same|another one)/).waitFor();
  await picture(page, 'pruning');
  // What the search has said stays in view, and the analysis goes on.
  assert.ok(await isInView(page.locator('.difference')));
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await page.locator('.line .pill').first().waitFor();
  assert.ok(await isInView(page.locator('.difference')));
  await close();
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
]) {
  test(`below the board the statistics come into view, with a small board for the node (${viewport.width})`, { skip }, async () => {
    const { page, close } = await open(both.browser, both.server, { viewport, hasTouch: true });
    await page.getByRole('button', { name: 'Statistics of the search (H)' }).click();
    await page.getByRole('heading', { name: 'Statistics', exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector('.statistics').getBoundingClientRect().top < innerHeight / 2);
    await page.getByLabel('Depth of the recorded search').selectOption('4');
    await page.getByRole('button', { name: 'Record' }).click();
    await page.locator('.node').first().click();
    await page.locator('.tree ul ul .node').first().click();
    await page.locator('.node-detail cg-board').waitFor();
    await close();
  });
}

test('every label of the statistics says what it means', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.keyboard.press('h');
  await page.locator('.bars').first().waitFor();
  await page.waitForFunction(() => Number(/depth (\d+)/.exec(document.querySelector('.engine-state').innerText)?.[1]) >= 14);
  const labels = await page
    .locator('.statistics .label, .statistics .figures > div, .statistics h3')
    .evaluateAll((found) => found.map((one) => [one.innerText, one.title]));
  assert.ok(labels.length > 15, `${labels.length} labels`);
  for (const [label, title] of labels) assert.ok(title.length > label.length && title !== label, `${label}: ${title}`);
  await close();
});
