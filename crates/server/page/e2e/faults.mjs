// What the tests of faults share.

export const FOOLS_MATE = '1. f3 e5 2. g4 Qh4# 0-1';
export const LEGAL =
  '[White "Anna"]\n[Black "Bert"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n';

/** The PGN of the game on the board, as it is exported. */
export async function exported(page) {
  await page.keyboard.press('p');
  const text = await page.getByLabel('PGN', { exact: true }).inputValue();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return text;
}

export async function newGame(page, { elo = '800', clock = 'None', color = 'White' } = {}) {
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByLabel('Strength').fill(elo);
  await page.getByLabel(clock, { exact: true }).check({ force: true });
  await page.getByLabel(color, { exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Halcyon 800').first().waitFor();
}

export async function type(page, text) {
  await page.getByLabel('Type a move').fill(text);
  await page.keyboard.press('Enter');
}

export const lines = (page) => page.locator('.line .pill').count();
export const notice = (page, text) => page.getByRole('alert').getByText(text).waitFor();

export async function review(page, effort = 'Quick') {
  await page.keyboard.press('r');
  await page.getByRole('button', { name: effort }).click();
}
