// Bundles the page into the folder given as the argument: for a server, or `standalone` with an engine
// inside, which is then put beside it.
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');
const entry = process.argv[3] === 'standalone' ? 'src/standalone.ts' : 'src/main.ts';
await mkdir(out, { recursive: true });
await build({
  entryPoints: { app: join(here, entry) },
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  outdir: out,
  logLevel: 'error',
});
for (const name of ['index.html', 'icon.svg']) {
  await copyFile(join(here, name), join(out, name));
}
