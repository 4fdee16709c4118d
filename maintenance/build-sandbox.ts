import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keepBundledPackages } from './sbom/bundled-packages.ts';

/**
 * Builds the program of the sandbox processes into one file, dist/sandbox.cjs: they may not read any other, and start in half
 * the time.
 */
const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const { metafile } = await build({
  entryPoints: [at('src/sandbox/program.ts')],
  outfile: at('dist/sandbox.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  metafile: true,
});
// Only what a byte of the program is from: what was left out of it is not shipped.
const [program] = Object.values(metafile.outputs);
keepBundledPackages(at('dist/sandbox.packages.json'), Object.keys(program!.inputs));
