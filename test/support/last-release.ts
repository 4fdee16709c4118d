import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import released from '../../maintenance/last-release.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** Whether this checkout has the commit of the last release: an archive of its files has none. */
export async function hasLastRelease(): Promise<boolean> {
  const found = await run('git', ['cat-file', '-e', `${released.commit}^{commit}`], { cwd: root }).catch(
    () => null,
  );
  if (found === null)
    console.warn(`NOT RUN: this checkout lacks the history with release ${released.version}`);
  return found !== null;
}

/** Builds the last release, with the packages of this checkout and its dashboard. Returns the path of its program. */
export async function buildLastRelease(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-release-'));
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', '--output', archive, released.commit], { cwd: root });
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'dist'));
  await symlink(join(root, 'dist/web'), join(folder, 'dist/web'));
  await run(join(root, 'node_modules/.bin/tsx'), ['maintenance/build-programs.ts'], { cwd: folder });
  return join(folder, 'dist/main/parapet.js');
}
