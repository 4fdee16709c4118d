import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { copyTree } from './tree-copy.ts';

/**
 * Has Stryker generate all mutants of the modules in stryker.json, in a copy of the tree. These modules only compute,
 * and for each of their mutants a test can fail. Returns whether one failed for each.
 */
export async function mutatePureModules(root: string, concurrency: number): Promise<boolean> {
  const folder = await copyTree(root);
  try {
    const stryker = fileURLToPath(new URL('../../node_modules/.bin/stryker', import.meta.url));
    const settings = ['run', 'test/mutants/stryker.json', '--concurrency', String(concurrency)];
    const child = spawn(stryker, settings, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    const [status] = await once(child, 'exit');
    return status === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
