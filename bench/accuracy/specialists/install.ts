import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command } from '../libraries/packages.ts';

/**
 * Other tools are no dependencies: they are installed in a temporary folder, which later runs use again.
 *
 * @param module exports what is used of the packages
 */
export async function installed<Exports>(packages: readonly string[], module: string): Promise<Exports> {
  const name = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `parapet-accuracy-tools-${name}`);
  if (!existsSync(folder)) {
    const incomplete = mkdtempSync(`${folder}-`);
    mkdirSync(join(incomplete, 'node_modules'));
    // Without scripts: none of them needs any.
    await command('npm', ['install', '--silent', '--ignore-scripts', '--prefix', incomplete, ...packages]);
    renameSync(incomplete, folder);
  }
  const file = join(folder, 'use.mjs');
  writeFileSync(file, module);
  return import(pathToFileURL(file).href) as Promise<Exports>;
}
