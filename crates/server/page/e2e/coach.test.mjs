// The coach: why a move was bad, mistakes tried again, and the training.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drop, moves, noScrollingSideways, open, paste, picture, serverAndBrowser, setEngine, skip, waitForMoves } from './harness.mjs';

const both = serverAndBrowser();

/** Legal's mate: Black takes the queen and is mated. */
const LEGAL =
  '[White "Anna"]\n[WhiteElo "1500"]\n[Black "Bert"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n';

async function reviewed(page) {
  await setEngine(page, false);
  await paste(page, LEGAL);
  await waitForMoves(page, 13);
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Quick' }).click();
  await page.locator('.accuracy').first().waitFor();
}

async function type(page, text) {
  await page.getByLabel('Type a move').fill(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

/** Goes on to the exercise about 5… Bxd1; a quick review may find fault with moves before it. */
async function toTheBlunder(page) {
  await page.locator('.prompt').waitFor();
  const said = await page.locator('.difficulty span').evaluateAll((spans) => spans.map((span) => span.title).join(' '));
  assert.doesNotMatch(said, /: [A-Z]?[a-h]?x?[a-h][1-8]/, 'what the levels play would give the answer away');
  for (
    let tries = 0;
    tries < 6 && !(await page.locator('.prompt', { hasText: 'In the game, 5… Bxd1 was a blunder' }).isVisible());
    tries += 1
  ) {
    const before = await page.locator('.training h2').innerText();
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await page.getByRole('button', { name: 'Next exercise' }).click();
    await page.waitForFunction((text) => document.querySelector('.training h2')?.textContent !== text, before);
  }
  await page.locator('.prompt', { hasText: 'In the game, 5… Bxd1 was a blunder' }).waitFor();
}

test('a mistake of a review is explained, and its clauses go onto the board', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await reviewed(page);
  await page.locator('.move.blunder', { hasText: 'Bxd1' }).click();
  const clause = page.locator('.clause', { hasText: 'Bxd1 allows mate in two: 6.Bxf7+ Ke7 7.Nd5#.' });
  await clause.waitFor();
  await page.locator('.difficulty', { hasText: 'seen at depth' }).waitFor();
  const found = page.locator('.difficulty span', { hasText: /a player of about \d+ finds it/ });
  await found.waitFor();
  assert.match((await found.getAttribute('title')) ?? '', /^What Halcyon plays here at \d+: \S+, /);
  await page.locator('.chip', { hasText: 'Mate' }).waitFor();
  // Pointing at it draws the line; clicking goes to the move that makes the point.
  await clause.hover();
  await page.waitForFunction(
    () => document.querySelectorAll('.holder .cg-shapes line, .holder .cg-custom-svgs line, .holder svg line').length >= 3,
  );
  await clause.click();
  await page.locator('.moves .here', { hasText: 'Bxf7+' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.moves .here', { hasText: 'Ke7' }).waitFor();
  await clause.waitFor();
  // What is said about the move stays in view while its lines are looked at.
  const better = page.locator('.clause', { hasText: /Better was (dxe5|Be6) / });
  await page.locator('.move.blunder', { hasText: 'Bxd1' }).click();
  await better.click();
  await page.locator('.variation .here', { hasText: /dxe5|Be6/ }).waitFor();
  await page.getByRole('button', { name: 'Back to 5… Bxd1' }).click();
  await page.locator('.moves .here', { hasText: 'Bxd1' }).waitFor();
  await picture(page, 'coach');
  // It is there after a reload.
  await page.reload();
  await clause.waitFor();
  await close();
});

test('a player with a rating stands beside the level of that rating', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await reviewed(page);
  const check = async () => {
    const beside = page.locator('.peer');
    await beside.waitFor();
    assert.equal(await beside.count(), 1, 'Black has no rating');
    assert.match(await beside.innerText(), /^Halcyon at 1500 in [67] positions of these: \d+%, the player: \d+%$/);
  };
  await check();
  await page.reload();
  await check();
  await close();
});

test('the sentences are exported and read again', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await reviewed(page);
  const exported = async () => {
    await page.keyboard.press('p');
    const text = await page.getByLabel('PGN', { exact: true }).inputValue();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return text;
  };
  const text = await exported();
  assert.match(text.replace(/\s+/g, ' '), /Blunder\. 5\.\.\. \S+ was best\. Coach: "Bxd1 allows mate in two: 6\.Bxf7\+ Ke7 7\.Nd5#\./);
  await paste(page, text);
  // The sentence is in the list, for the lesson itself is not part of a game's text.
  await page.locator('.moves .comment', { hasText: 'Bxd1 allows mate in two' }).waitFor();
  assert.equal(await exported(), text);
  // Another review replaces it.
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Quick' }).click();
  await page.locator('.accuracy').first().waitFor();
  assert.equal((await exported()).replace(/\s+/g, ' ').match(/Bxd1 allows mate/g)?.length, 1);
  await close();
});

test('why not? answers for any move', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await paste(page, '1. f3 e5 *');
  await waitForMoves(page, 2);
  await page.keyboard.press('End');
  await type(page, 'g4');
  await waitForMoves(page, 3);
  await page.getByRole('button', { name: 'Why not g4?' }).click();
  await page.locator('.clause', { hasText: 'g4 allows mate in one: 2...Qh4#.' }).waitFor();
  // The analysis goes on afterwards.
  await page.locator('.line .pill').first().waitFor();
  // Nobody has to ask about a mate.
  await type(page, 'Qh4');
  await waitForMoves(page, 4);
  await page.locator('.why-button').waitFor({ state: 'hidden' });
  for (let move = 0; move < 4; move++) await page.keyboard.press('ArrowLeft');
  await type(page, 'e4');
  await page.locator('.moves .here', { hasText: 'e4' }).waitFor();
  await page.keyboard.press('w');
  await page.locator('.clause', { hasText: /e4 is (fine|what the engine would play)/ }).waitFor();
  await close();
});

test('mistakes are tried again until they are found, and remembered', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await reviewed(page);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: /Retry Black’s mistakes/ }).click();
  await toTheBlunder(page);
  // Nothing on the page tells the answer.
  assert.equal(await page.getByText('dxe5').count(), 0);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.holder svg circle').first().waitFor({ state: 'attached' });
  await type(page, 'a6');
  await page.locator('.verdict', { hasText: 'a6 is not it' }).waitFor();
  await page.locator('.clause', { hasText: 'a6 allows mate in two' }).waitFor();
  assert.equal(await page.locator('.training').getByText('dxe5').count(), 0);
  await picture(page, 'training-wrong');
  await page.getByRole('button', { name: 'Try again' }).click();
  await type(page, 'dxe5');
  await page.locator('.verdict', { hasText: 'dxe5 is right' }).waitFor();
  await picture(page, 'training-right');
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByText(/0 of \d at the first try/).waitFor();
  await page.getByRole('button', { name: 'Back to the board' }).click();
  // The board is as it was.
  await page.locator('.moves .here', { hasText: 'Nd5#' }).waitFor();
  assert.deepEqual((await moves(page)).slice(0, 3), ['e4', 'e5', 'Nf3']);
  // It is not due again at once, but the training view knows it.
  await page.keyboard.press('t');
  const view = page.getByRole('dialog', { name: 'Training' });
  await view.locator('.group-row', { hasText: 'Mate' }).waitFor();
  await view.getByRole('button', { name: 'Phase' }).click();
  await view.locator('.group-row', { hasText: 'Opening' }).waitFor();
  await view.getByRole('button', { name: 'Opening', exact: true }).click();
  await view.locator('.group-row', { hasText: 'Philidor Defense' }).waitFor();
  await view.getByText(/0 due, 0 new, \d known for now/).waitFor();
  await view.getByLabel('Whose mistakes').selectOption('Anna');
  await view.locator('.group-row', { hasText: 'Mate' }).waitFor({ state: 'detached' });
  await close();
});

test('the training draws on all games of the library, and a reload ends it', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.keyboard.press('t');
  await page.getByText('Mistakes of reviewed games become exercises').waitFor();
  await page.keyboard.press('Escape');
  await reviewed(page);
  await paste(page, '1. d4 d5 *');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  await page.keyboard.press('t');
  const view = page.getByRole('dialog', { name: 'Training' });
  await picture(page, 'training-phone');
  await view.getByRole('button', { name: /Train \d exercise/ }).click();
  await toTheBlunder(page);
  await noScrollingSideways(page);
  await picture(page, 'exercise-phone');
  await page.getByRole('button', { name: 'Show the solution' }).click();
  // Two moves are equally good there: which of them is best depends on the network.
  await page.locator('.verdict', { hasText: /(dxe5|Be6) was the move/ }).waitFor();
  await page.reload();
  await waitForMoves(page, 2);
  assert.deepEqual(await moves(page), ['d4', 'd5']);
  // The exercise has not become a game of the library.
  await page.keyboard.press('o');
  const library = page.getByRole('dialog', { name: 'Library' });
  await library.locator('.a-game').first().waitFor();
  assert.equal(await library.locator('.a-game').count(), 2);
  await close();
});

test('games of the library are reviewed from the training view', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await setEngine(page, false);
  const other = LEGAL.replace('Anna', 'Cora').replace('Bert', 'Dora');
  await drop(page, 'two.pgn', Buffer.from(`${LEGAL}\n${other}`));
  await page.getByRole('button', { name: 'Add all to the library' }).click();
  await page.getByText('2 games were added to the library').waitFor();
  await page.keyboard.press('t');
  const view = page.getByRole('dialog', { name: 'Training' });
  await view.getByText('2 games of the library have not been reviewed yet').waitFor();
  await view.getByRole('button', { name: 'Review them' }).click();
  await view.locator('.group-row', { hasText: 'Mate' }).waitFor();
  await view.getByLabel('Whose mistakes').selectOption('Dora');
  await view.getByRole('button', { name: 'Opening', exact: true }).click();
  await view.locator('.group-row', { hasText: 'Philidor Defense' }).waitFor();
  await view.getByRole('button', { name: /Train \d/ }).click();
  await page.locator('.where', { hasText: 'Cora – Dora' }).waitFor();
  await close();
});
