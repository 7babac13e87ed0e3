// The tour: what is where on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, open, picture, serverAndBrowser, setEngine, skip, reload } from './harness.mjs';

const both = serverAndBrowser();

for (const [name, viewport] of [
  ['wide', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['phone-landscape', { width: 844, height: 390 }],
]) {
  test(`the tour is walked through with the keyboard (${name})`, { skip }, async () => {
    const { page, close } = await open(both.browser, both.server, { viewport, bypassCSP: true });
    await setEngine(page, false);
    await page.getByRole('button', { name: 'What am I looking at?' }).focus();
    await page.keyboard.press('Enter');
    const tour = page.getByRole('dialog', { name: 'Tour' });
    await tour.getByRole('heading', { name: 'The board' }).waitFor();
    const total = Number((await tour.locator('.tour-count').innerText()).split(' of ')[1]);
    assert.ok(total >= 8, `${total} stops`);
    for (let stop = 1; stop <= total; stop += 1) {
      await tour.getByText(`${stop} of ${total}`).waitFor();
      const [card, spot] = [await tour.locator('.tour-card').boundingBox(), await tour.locator('.tour-spot').boundingBox()];
      // Words and region are in the window.
      assert.ok(
        card.x >= 0 && card.y >= 0 && card.x + card.width <= viewport.width && card.y + card.height <= viewport.height,
        `words ${stop}: ${JSON.stringify(card)}`,
      );
      assert.ok(
        spot.width > 12 && spot.height > 12 && spot.y < viewport.height && spot.y + spot.height > 0,
        `region ${stop}: ${JSON.stringify(spot)}`,
      );
      if (stop === 1 || stop === 5) await picture(page, `tour-${name}-${stop}`);
      if (stop === 2) await accessible(page, 'the tour');
      // Keys and buttons do the same.
      if (stop % 2) await page.keyboard.press('ArrowRight');
      else await page.keyboard.press('Enter');
    }
    await tour.waitFor({ state: 'detached' });
    // It is not offered again, but can be had again.
    assert.equal(await page.getByRole('button', { name: 'What am I looking at?' }).count(), 0);
    await reload(page);
    assert.equal(await page.getByRole('button', { name: 'What am I looking at?' }).count(), 0);
    await page.getByRole('button', { name: 'Help (?)' }).click();
    await page.getByRole('button', { name: 'Show me around' }).click();
    await tour.getByText(`1 of ${total}`).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await tour.getByText(`1 of ${total}`).waitFor();
    await page.keyboard.press('Escape');
    await tour.waitFor({ state: 'detached' });
    await close();
  });
}

test('the tour can be declined', { skip }, async () => {
  const { page, close } = await open(both.browser, both.server);
  await page.getByRole('button', { name: 'No, thanks' }).click();
  assert.equal(await page.getByRole('button', { name: 'What am I looking at?' }).count(), 0);
  await reload(page);
  assert.equal(await page.getByRole('button', { name: 'What am I looking at?' }).count(), 0);
  await close();
});
