// Bundles the unit tests, which are TypeScript like the page, and runs them with Node's runner.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const names = (await readdir(join(here, 'unit'))).filter((name) => name.endsWith('.test.ts'));
const out = await mkdtemp(join(tmpdir(), 'halcyon-unit-'));
await build({
  entryPoints: names.map((name) => join(here, 'unit', name)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outdir: out,
  outExtension: { '.js': '.mjs' },
  sourcemap: 'inline',
  logLevel: 'error',
});
const files = names.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', '--test-reporter=spec', ...files], { stdio: 'inherit' });
await rm(out, { recursive: true });
process.exit(status ?? 1);
