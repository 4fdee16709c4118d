import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../libraries/packages.ts';
import type { Site } from './sites.ts';

/** Several sites may be of one package. */
const folders = new Map<string, Promise<string>>();

/** The unpacked packages of a site. They stay in the cache; nothing is installed. */
export function unpacked({ source }: Site, cache: string): Promise<string> {
  const folder = folders.get(source) ?? unpack(source, cache);
  folders.set(source, folder);
  return folder;
}

async function unpack(source: string, cache: string): Promise<string> {
  const [kind, packages] = [source.slice(0, 3), source.slice(4)];
  const target = join(cache, source.replaceAll(/[/:]/g, '_'));
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'download-'));
  for (const one of kind === 'npm' ? [packages] : packages.split('+')) {
    if (kind === 'npm') await command('npm', ['pack', '--silent', '--pack-destination', folder, one]);
    else await command('apt-get', ['download', '-q', one], { cwd: folder });
  }
  const root = join(folder, 'root');
  mkdirSync(root);
  for (const archive of readdirSync(folder).filter(name => name !== 'root')) {
    // Some archives on npm have folders that only their owner may enter.
    if (kind === 'npm')
      await command('tar', [
        'xzf',
        join(folder, archive),
        '-C',
        root,
        '--no-same-owner',
        '--strip-components=1',
      ]);
    else await command('dpkg-deb', ['-x', join(folder, archive), root]);
  }
  renameSync(root, target);
  rmSync(folder, { recursive: true });
  return target;
}
