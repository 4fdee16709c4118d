import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Packages stay here between runs: a version on npm never changes. */
const store = join(tmpdir(), 'parapet-library-packages');

export interface Application {
  /** A folder whose node_modules contains the package. */
  readonly folder: string;
  /** A script that uses all of the package, so that nothing of it is removed. */
  readonly script: string;
  /** What the package imports from others, which are not installed. */
  readonly external: readonly string[];
}

/** The files of packages that have no module as their main file. */
const mainFiles: Readonly<Record<string, string>> = {
  ckeditor4: 'ckeditor4/ckeditor.js',
  'jquery-ui-dist': 'jquery-ui-dist/jquery-ui.js',
  tinymce: 'tinymce/tinymce.js',
};

/** An application that consists of one version of a package, from npm. */
export function applicationOf(name: string, version: string): Application {
  const folder = join(store, `${name.replace('/', '+')}@${version}`);
  const inside = join(folder, 'node_modules', name);
  if (!existsSync(inside)) download(`${name}@${version}`, inside);
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  const others = Object.keys({ ...dependencies, ...peerDependencies }).flatMap(other => [
    other,
    `${other}/*`,
  ]);
  const script = `import * as library from ${JSON.stringify(mainFiles[name] ?? name)};\nglobalThis.application = library;\n`;
  return { folder, script, external: [...others, ...builtinModules, 'node:*'] };
}

function download(specifier: string, target: string): void {
  mkdirSync(store, { recursive: true });
  const folder = mkdtempSync(join(store, 'download-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, specifier], { stdio: 'ignore' });
  const [archive = ''] = readdirSync(folder);
  execFileSync('tar', ['xzf', join(folder, archive), '-C', folder, '--no-same-owner']);
  const [unpacked = ''] = readdirSync(folder).filter(each => each !== archive);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(join(folder, unpacked), target);
}
