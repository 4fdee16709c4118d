import { parseArgs } from 'node:util';
import { librariesInScript } from '../../../src/detectors/website/libraries/find-in-script.ts';
import { advisoriesFor } from '../../../src/detectors/website/libraries/judge-version.ts';
import { libraryNamed } from '../../../src/detectors/website/libraries/known-libraries.ts';
import { compareVersions } from '../../../src/detectors/website/libraries/version.ts';
import { progress } from '../../report/progress.ts';
import { withEsbuild, withVite, withWebpack } from './bundlers.ts';
import { type Application, applicationOf } from './packages.ts';
import { freshVersions } from './versions.ts';

// How many versions of libraries are recognized in bundles without comments and with short names, by three bundlers. Downloads
// packages from npm. `npx tsx bench/accuracy/libraries/run.ts [--bundler esbuild] [--package jquery]`

const { values: options } = parseArgs({
  options: { bundler: { type: 'string' }, package: { type: 'string' } },
});

type Bundler = (application: Application) => Promise<string>;
const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: withEsbuild,
  vite: withVite,
  webpack: withWebpack,
};

/** Packages that contain a library under another name. */
const libraryOfPackage = (name: string) =>
  libraryNamed(name.replace(/-dist$/, '')) ?? libraryNamed(name) ?? name;

/** three.js states its revision only: 0.125.2 is 125. */
const isStated = (library: string, version: string, stated: { version: string; oldest?: string }) =>
  stated.oldest === undefined
    ? compareVersions(version.replace(library === 'three' ? /\.\d+$/ : /$^/, '.0'), stated.version) === 0
    : compareVersions(stated.oldest, version) <= 0 && compareVersions(version, stated.version) <= 0;

for (const [bundler, bundle] of Object.entries(bundlers)) {
  if (options.bundler !== undefined && options.bundler !== bundler) continue;
  const found = { right: 0, missed: [] as string[], wrong: [] as string[], notBuilt: [] as string[] };
  for (const [name, versions] of Object.entries(freshVersions)) {
    if (options.package !== undefined && options.package !== name) continue;
    const library = libraryOfPackage(name);
    for (const version of versions.split(' ')) {
      if (advisoriesFor(library, version).length === 0) continue;
      const text = await applicationOf(name, version)
        .then(bundle)
        .catch(() => '');
      // A package whose main file only loads others is not a library in the bundle.
      if (text.length < 2_000) {
        found.notBuilt.push(`${name}@${version}`);
        continue;
      }
      const stated = librariesInScript(text).libraries.filter(each => each.library === library);
      if (stated.some(each => isStated(library, version, each))) found.right += 1;
      else if (stated.length === 0) found.missed.push(`${name}@${version}`);
      for (const each of stated)
        if (!isStated(library, version, each)) found.wrong.push(`${name}@${version}: ${each.version}`);
    }
    progress(`${bundler}: ${name}`);
  }
  const all = found.right + found.missed.length + found.wrong.length;
  process.stdout.write(
    `${bundler}: ${found.right} of ${all} (${((100 * found.right) / all).toFixed(1)} %)
  missed: ${found.missed.join(', ') || 'none'}
  wrong: ${found.wrong.join(', ') || 'none'}
  not built: ${found.notBuilt.join(', ') || 'none'}
`,
  );
}
