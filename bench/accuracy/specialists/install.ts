import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command } from '../libraries/packages.ts';

const folders = new Map<string, Promise<string>>();

/** Other tools are no dependencies: they are installed in a temporary folder, which later runs use again. */
export function folderWith(packages: readonly string[]): Promise<string> {
  const name = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = folders.get(name) ?? install(join(tmpdir(), `parapet-accuracy-tools-${name}`), packages);
  folders.set(name, folder);
  return folder;
}

async function install(folder: string, packages: readonly string[]): Promise<string> {
  if (existsSync(folder)) return folder;
  const incomplete = mkdtempSync(`${folder}-`);
  mkdirSync(join(incomplete, 'node_modules'));
  // Without scripts: none of them needs any.
  await command('npm', ['install', '--silent', '--ignore-scripts', '--prefix', incomplete, ...packages]);
  renameSync(incomplete, folder);
  return folder;
}

/** @param module exports what is used of the packages */
export async function installed<Exports>(packages: readonly string[], module: string): Promise<Exports> {
  const folder = await folderWith(packages);
  const file = join(folder, 'use.mjs');
  writeFileSync(file, module);
  return import(pathToFileURL(file).href) as Promise<Exports>;
}
