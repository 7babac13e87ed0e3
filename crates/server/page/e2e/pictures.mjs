// Takes pictures of every view in four sizes, light and dark, to be looked at:
//   node e2e/pictures.mjs [width of the window] [views whose names begin with ...]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { VIEWS } from './all-views.mjs';
import { launch, open, pictures, startServer } from './harness.mjs';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
];

const [onlyWidth, ...only] = process.argv.slice(2);
const wanted = (name) => only.length === 0 || only.some((one) => name.startsWith(one));
const server = await startServer();
const browser = await launch();
for (const viewport of SIZES) {
  if (onlyWidth && Number(onlyWidth) && viewport.width !== Number(onlyWidth)) continue;
  const folder = join(pictures, `${viewport.width}x${viewport.height}`);
  mkdirSync(folder, { recursive: true });
  const { page, close } = await open(browser, server, {
    viewport,
    hasTouch: viewport.height < 500 || viewport.width < 500,
    reducedMotion: 'reduce',
  });
  for (const [name, enter, leave] of VIEWS) {
    try {
      await enter(page);
      if (wanted(name)) {
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          await page.waitForTimeout(250);
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (over > 0) console.log(`${viewport.width} ${name}: ${over} pixels too wide`);
      }
      await leave?.(page);
    } catch (error) {
      console.log(`${viewport.width} ${name}: ${String(error).split('\n').slice(0, 3).join(' ')}`);
      await page.screenshot({ path: join(folder, `failed-${name}.png`) });
      await page.keyboard.press('Escape');
    }
  }
  await close().catch((error) => console.log(`${viewport.width}: ${error}`));
  console.log(`${viewport.width}×${viewport.height} done`);
}
await browser.close();
await server.stop();
