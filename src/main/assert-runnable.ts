import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Sandbox processes cannot be started. */
class NotRunnableByOthers extends Error {
  override readonly name = 'NotRunnableByOthers';
}

/**
 * As root, sandbox processes run as a user without permissions, who must be able to run this program.
 *
 * @throws NotRunnableByOthers
 */
export function assertRunnableByOthers(program: string): void {
  if (process.getuid?.() !== 0) return;
  const closed = [program, ...foldersOf(program)].find(path => (statSync(path).mode & 0o001) === 0);
  if (closed === undefined) return;
  throw new NotRunnableByOthers(
    `${closed} is closed to other users. Sandbox processes run as a user without permissions: move the program, for example to /usr/local/bin, or run it as another user than root`,
  );
}

function foldersOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersOf(parent)];
}
