// Takes the two pictures of the README, and the frames of its recording of play, review, coach, training
// and search tree:
//   node e2e/recording.mjs FOLDER
// Each frame's name ends with the milliseconds that it stands; docs/board.webp is made of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OPERA } from './games.mjs';
import { clickMove, launch, open, paste, setEngine, startServer, waitForMoves, reload } from './harness.mjs';

const folder = process.argv[2] ?? 'recording';
mkdirSync(folder, { recursive: true });

const depth = (page) => page.locator('.engine-state').innerText();
/** Waits until the analysis is as deep. */
async function deep(page, plies) {
  for (let tries = 0; tries < 120; tries += 1) {
    if (Number(/depth (\d+)/.exec(await depth(page))?.[1] ?? 0) >= plies) return;
    await page.waitForTimeout(500);
  }
}

/** A page of somebody who has seen it before, with a large table. */
async function known(browser, server, options) {
  const opened = await open(browser, server, { reducedMotion: 'reduce', ...options });
  await opened.page.evaluate(() => localStorage.setItem('halcyon.settings', JSON.stringify({ toured: true, hash: 256 })));
  await reload(opened.page);
  return opened;
}

async function review(page, effort) {
  await paste(page, OPERA);
  await waitForMoves(page, 33);
  await page.keyboard.press('r');
  await page.getByRole('button', { name: effort }).click();
}

async function stills(browser) {
  for (const colorScheme of ['dark', 'light']) {
    const server = await startServer();
    const { page, close } = await known(browser, server, { colorScheme });
    await setEngine(page, false);
    await review(page, 'Thorough');
    await page.locator('.accuracy').first().waitFor();
    await page.locator('.toast').waitFor({ state: 'hidden' });
    await page.locator('.move.cell', { hasText: 'Nbd7' }).click();
    await page.keyboard.press('h');
    await setEngine(page, true);
    await deep(page, 22);
    await page.locator('h1').hover();
    await page.screenshot({ path: join(folder, `board-${colorScheme}.png`) });
    await close();
    await server.stop();
  }
}

async function recording(browser, server) {
  const { page, close } = await known(browser, server, { viewport: { width: 1300, height: 780 } });
  let frame = 0;
  const take = async (ms) => {
    frame += 1;
    await page.screenshot({ path: join(folder, `frame-${String(frame).padStart(3, '0')}-${ms}.png`) });
  };
  await deep(page, 12);
  await take(900);
  // Play.
  await page.keyboard.press('n');
  await page.getByLabel('3+2', { exact: true }).check({ force: true });
  await take(1200);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('your move').waitFor();
  for (const [from, to, count] of [
    ['e2', 'e4', 2],
    ['g1', 'f3', 4],
    ['f1', 'b5', 6],
  ]) {
    await clickMove(page, from, to);
    await page.waitForTimeout(80);
    await take(400);
    await waitForMoves(page, count).catch(() => {});
    await take(500);
  }
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
  await page.getByText('Halcyon won').waitFor();
  await take(1500);
  // Review.
  await setEngine(page, false);
  await review(page, 'Thorough');
  for (const share of [6, 16, 26]) {
    await page.waitForFunction((done) => Number(document.querySelector('.review-progress progress')?.value ?? 99) >= done, share);
    await take(300);
  }
  await page.locator('.accuracy').first().waitFor();
  await page.locator('.toast').waitFor({ state: 'hidden' });
  await take(1500);
  // Coach.
  await page.locator('.move.cell', { hasText: 'Nbd7' }).click();
  await page.waitForTimeout(300);
  await take(2200);
  await page.locator('.clause').first().hover();
  await page.waitForTimeout(300);
  await take(1800);
  await page.locator('.clause').first().click();
  await page.waitForTimeout(300);
  await take(1200);
  // Training.
  await page.locator('.retry:not(:disabled)').last().click();
  await page.locator('.prompt').waitFor();
  await take(1500);
  await page.getByRole('button', { name: 'Show the solution' }).click();
  await page.waitForTimeout(400);
  await take(1800);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  // Inside the search.
  await page.locator('.move.cell', { hasText: 'Bc4' }).click();
  await setEngine(page, true);
  await page.keyboard.press('h');
  for (const plies of [12, 15, 17]) {
    await deep(page, plies);
    await take(600);
  }
  await page.getByLabel('Depth of the recorded search').selectOption('8');
  await page.getByRole('button', { name: 'Record' }).click();
  await page.locator('.node').first().click();
  await page.locator('.tree ul ul .node').first().waitFor();
  await page.getByRole('button', { name: 'Record' }).scrollIntoViewIfNeeded();
  await take(900);
  await page.locator('.tree ul ul .node').nth(1).click();
  await page.locator('.tree ul ul ul .node').first().waitFor();
  await take(1500);
  await page.locator('.tree ul ul ul .node').first().click();
  await page.waitForTimeout(500);
  await take(2000);
  await page.getByLabel('Move that was not searched').fill('a6');
  await page.keyboard.press('Enter');
  await page.locator('.pruning p').first().waitFor();
  await page.locator('.pruning').scrollIntoViewIfNeeded();
  await take(2200);
  const again = page.getByRole('button', { name: 'Search again without this rule' });
  if (await again.isVisible()) {
    await again.click();
    await page.locator('.difference').waitFor();
    await page.waitForTimeout(500);
    await take(2800);
  }
  await close();
}

const browser = await launch();
await stills(browser);
const server = await startServer();
await recording(browser, server);
await server.stop();
await browser.close();
