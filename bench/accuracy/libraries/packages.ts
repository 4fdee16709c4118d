import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const command = promisify(execFile);

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
  requirejs: 'requirejs/require.js',
  'swagger-ui-dist': 'swagger-ui-dist/swagger-ui-bundle.js',
  tinymce: 'tinymce/tinymce.js',
};

/** Imports that packages do not declare. */
const undeclared = ['canvas', 'jquery', 'popper.js', 'zone.js'];

/** An application that consists of one version of a package, from npm. */
export async function applicationOf(name: string, version: string): Promise<Application> {
  const folder = join(store, `${name.replace('/', '+')}@${version}`);
  const inside = join(folder, 'node_modules', name);
  if (!existsSync(inside)) await download(`${name}@${version}`, inside);
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  const names = [...Object.keys({ ...dependencies, ...peerDependencies }), ...undeclared];
  const others = names.filter(other => other !== name).flatMap(other => [other, `${other}/*`]);
  const script = `import * as library from ${JSON.stringify(mainFiles[name] ?? name)};\nglobalThis.application = library;\n`;
  return { folder, script, external: [...others, ...builtinModules, 'node:*'] };
}

async function download(specifier: string, target: string): Promise<void> {
  mkdirSync(store, { recursive: true });
  const folder = mkdtempSync(join(store, 'download-'));
  await command('npm', ['pack', '--silent', '--pack-destination', folder, specifier]);
  const [archive = ''] = readdirSync(folder);
  await command('tar', ['xzf', join(folder, archive), '-C', folder, '--no-same-owner']);
  const [unpacked = ''] = readdirSync(folder).filter(each => each !== archive);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(join(folder, unpacked), target);
}
