// Every view of the page, in the order in which they are reached. Each begins where the one before it has
// left the page.
import { OPERA } from './games.mjs';
import { clickMove, drop, paste, reload, setEngine, waitForMoves } from './harness.mjs';

const ANNOTATED = `[White "Anna"]
[Black "Bert"]
[Result "*"]

{ A game with comments. } 1. e4 { [%eval 0.2] [%clk 0:03:00] [%cal Gd2d4,Rf1c4] [%csl Yd5] The king's pawn. } e5 $1 2. Nf3 (2. f4 $5 exf4 (2... d5 3. exd5 e4) 3. Nf3) 2... Nc6 3. Bb5 a6 $6 4. Ba4 Nf6 5. O-O Be7 *
`;
const CLUB = ['Cora', 'Eva', 'Ines', 'Maria Theresia von Hohenstein-Waldburg']
  .map(
    (name, index) =>
      `[Event "Club"]\n[Date "2024.05.${index + 10}"]\n[White "${name}"]\n[Black "Fritz"]\n[Result "1/2-1/2"]\n\n1. d4 d5 2. c4 ${['e6', 'c6', 'dxc4', 'e5'][index]} 3. Nc3 Nf6 1/2-1/2\n`,
  )
  .join('\n');

const dialog = (page, name) => page.getByRole('dialog', { name });
const escape = async (page) => {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
};
const typeMove = async (page, text) => {
  const field = page.getByLabel('Type a move');
  if (!(await field.isVisible())) return;
  await field.fill(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
};

/** The name of each, how it is reached, and how it is left. */
export const VIEWS = [
  ['start', (page) => page.locator('.line .pill').first().waitFor()],
  [
    'tour',
    async (page) => {
      await page.getByRole('button', { name: 'What am I looking at?' }).click();
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    },
    escape,
  ],
  [
    'analysis',
    async (page) => {
      await paste(page, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O');
      await waitForMoves(page, 14);
      await page.keyboard.press('End');
      await page.waitForTimeout(4000);
    },
  ],
  ['line-hover', async (page) => page.locator('.pv-move').nth(5).hover(), (page) => page.mouse.move(2, 2)],
  [
    'threat',
    async (page) => {
      await page.keyboard.press('x');
      await page.locator('.engine-state', { hasText: 'threat' }).waitFor();
      await page.waitForTimeout(1500);
    },
    (page) => page.keyboard.press('x'),
  ],
  [
    'statistics',
    async (page) => {
      await page.keyboard.press('h');
      await page.locator('.bars').first().waitFor();
      await page.waitForTimeout(4000);
    },
  ],
  ['statistics-scrolled', (page) => page.getByRole('button', { name: 'Record' }).scrollIntoViewIfNeeded()],
  [
    'meanings',
    async (page) => {
      await page.getByRole('button', { name: 'What am I looking at?' }).click();
      await dialog(page, 'What am I looking at?').waitFor();
    },
    escape,
  ],
  [
    'tree',
    async (page) => {
      await page.getByLabel('Depth of the recorded search').selectOption('8');
      await page.getByRole('button', { name: 'Record' }).click();
      await page.locator('.node').first().click();
      await page.locator('.node').nth(2).click();
      await page.locator('.node').nth(4).click();
      await page.locator('.node').nth(4).scrollIntoViewIfNeeded();
    },
  ],
  [
    'why-not',
    async (page) => {
      await page.getByLabel('Move that was not searched').fill('Kh1');
      await page.keyboard.press('Enter');
      await page.locator('.pruning p').first().waitFor();
      await page.locator('.pruning').scrollIntoViewIfNeeded();
    },
  ],
  [
    'why-not-again',
    async (page) => {
      await page.getByRole('button', { name: 'Search again without this rule' }).click();
      await page.locator('.difference').waitFor();
      await page.locator('.difference').scrollIntoViewIfNeeded();
    },
    async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('h');
    },
  ],
  [
    'engine-off',
    async (page) => {
      await setEngine(page, false);
      await page.evaluate(() => scrollTo(0, 0));
    },
  ],
  [
    'annotated',
    async (page) => {
      await paste(page, ANNOTATED);
      await page.getByText('Anna').first().waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
    },
  ],
  [
    'menu',
    async (page) => {
      await page.locator('.more-button').click();
      await page.getByRole('menu').waitFor();
    },
    (page) => page.keyboard.press('Escape'),
  ],
  [
    'comment-dialog',
    async (page) => {
      await page.locator('.more-button').click();
      await page.getByRole('menuitem', { name: /comment/ }).click();
      await dialog(page, /Comment on/).waitFor();
    },
    escape,
  ],
  [
    'new-game',
    async (page) => {
      await page.keyboard.press('n');
      await dialog(page, 'New game').waitFor();
    },
  ],
  [
    'new-game-more',
    async (page) => {
      await page.getByLabel('Own', { exact: true }).check({ force: true });
      await page.getByLabel('Chess960', { exact: true }).check({ force: true });
    },
    escape,
  ],
  [
    'playing',
    async (page) => {
      await page.keyboard.press('n');
      await page.getByLabel('5+3', { exact: true }).check({ force: true });
      await page.getByRole('button', { name: 'Play' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('your move').waitFor();
      await clickMove(page, 'e2', 'e4');
      await waitForMoves(page, 2);
      await page.getByText('your move').waitFor();
      await clickMove(page, 'g1', 'f3');
      await waitForMoves(page, 4);
      await page.getByText('your move').waitFor();
    },
  ],
  [
    'hint-notice',
    async (page) => {
      await page.keyboard.press('i');
      await page.getByLabel('Offer a draw').click();
      await page.getByRole('alert').getByText('declines').waitFor();
      await page.waitForTimeout(800);
    },
  ],
  [
    'question',
    async (page) => {
      await page.getByRole('button', { name: 'Resign' }).click();
      await dialog(page, 'Resign').waitFor();
    },
  ],
  [
    'over',
    async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
      await page.getByText('Halcyon won').waitFor();
    },
  ],
  [
    'toast',
    async (page) => {
      await paste(page, OPERA);
      await waitForMoves(page, 33);
      await page.locator('.toast').waitFor();
    },
  ],
  [
    'review-ask',
    async (page) => {
      await page.keyboard.press('r');
      await dialog(page, 'Review the game').waitFor();
    },
  ],
  [
    'review-progress',
    async (page) => {
      await page.getByRole('button', { name: 'Thorough' }).click();
      await page.locator('.review-progress').waitFor();
    },
  ],
  [
    'review',
    async (page) => {
      await page.locator('.accuracy').first().waitFor();
      await page.locator('.toast').waitFor({ state: 'hidden' });
      await page.locator('.move.blunder, .move.mistake, .move.inaccuracy').last().click();
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(400);
    },
  ],
  [
    'review-end',
    async (page) => {
      await page.keyboard.press('End');
      await page.waitForTimeout(400);
    },
  ],
  ['review-graph', (page) => page.locator('.graph').scrollIntoViewIfNeeded(), (page) => page.evaluate(() => scrollTo(0, 0))],
  [
    'explorer',
    async (page) => {
      await page.keyboard.press('Home');
      await page.getByText('Explorer:').click();
      await page.locator('.explorer-move').first().waitFor();
      await page.locator('.explorer-move').first().scrollIntoViewIfNeeded();
    },
    (page) => page.getByText('Explorer:').click(),
  ],
  [
    'training',
    async (page) => {
      await page.keyboard.press('t');
      await dialog(page, 'Training').locator('.group-row').first().waitFor();
    },
  ],
  [
    'exercise',
    async (page) => {
      await page.getByRole('button', { name: /Train \d/ }).click();
      await page.locator('.prompt').waitFor();
      await page.waitForTimeout(600);
    },
  ],
  [
    'wrong',
    async (page) => {
      await typeMove(page, 'h5');
      await page
        .locator('.training .verdict')
        .first()
        .waitFor({ timeout: 8000 })
        .catch(() => {});
    },
  ],
  [
    'solution',
    async (page) => {
      const show = page.getByRole('button', { name: 'Show the solution' });
      if (await show.isVisible()) await show.click();
      await page.waitForTimeout(500);
    },
    async (page) => {
      await page.getByRole('button', { name: 'End', exact: true }).click();
      await page.keyboard.press('Escape');
    },
  ],
  [
    'import-list',
    async (page) => {
      await drop(page, 'club.pgn', Buffer.from(CLUB));
      await dialog(page, '4 games').waitFor();
    },
  ],
  [
    'collection',
    async (page) => {
      await dialog(page, '4 games').getByRole('button', { name: 'Add all to the library' }).click();
      await page.getByText('4 games were added to the library').waitFor();
    },
    async (page) => {
      if (await page.locator('dialog[open]').count()) await escape(page);
    },
  ],
  [
    'library',
    async (page) => {
      await page.keyboard.press('o');
      await dialog(page, 'Library').locator('.a-game').first().waitFor();
    },
    escape,
  ],
  [
    'share',
    async (page) => {
      await page.keyboard.press('p');
      await dialog(page, 'Import and export').waitFor();
    },
  ],
  [
    'editor',
    async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await dialog(page, 'Board editor').waitFor();
      await page.waitForTimeout(400);
    },
    escape,
  ],
  [
    'settings',
    async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await dialog(page, 'Settings').waitFor();
    },
    escape,
  ],
  [
    'help',
    async (page) => {
      await page.getByRole('button', { name: 'Help (?)' }).click();
      await dialog(page, 'Help').waitFor();
    },
    escape,
  ],
  [
    'promotion',
    async (page) => {
      await paste(page, '8/P6k/8/8/8/8/p6K/8 w - - 0 1');
      await page.getByText('From a set-up position').waitFor();
      await clickMove(page, 'a7', 'a8');
      await dialog(page, 'Promotion').waitFor();
    },
    (page) => page.keyboard.press('Escape'),
  ],
  [
    'problem',
    async (page) => {
      await reload(page);
      await paste(page, 'hello');
      await page.getByRole('alert').waitFor();
    },
  ],
];
