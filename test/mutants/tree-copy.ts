import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Copies all files that are committed, or would be, to a separate folder, with links to the installed packages. The
 * checkout itself is never changed, so a killed run leaves it intact. The copy is removed when this process ends, if
 * not before.
 */
export async function copyTree(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // As root, the tests' PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of new Set(listing.split('\0'))) {
    if (file === '' || !existsSync(join(root, file))) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(root, file), join(folder, file));
  }
  // A folder with links instead of a link to the folder, because Vite stores a cache in it.
  await mkdir(join(folder, 'node_modules'));
  for (const entry of await readdir(join(root, 'node_modules'))) {
    if (entry.startsWith('.vite')) continue;
    await symlink(join(root, 'node_modules', entry), join(folder, 'node_modules', entry));
  }
  return folder;
}
