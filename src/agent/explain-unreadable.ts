import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileRefused } from './trusted-path.ts';

/** Why a file cannot be read, and what to do, for the person who runs an agent. */
export async function explainUnreadable(path: string, error: unknown): Promise<string> {
  if (error instanceof FileRefused) return `${path} ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `${path} does not exist`;
  if (code !== 'EACCES' && code !== 'EPERM') return `${path} cannot be read (${code ?? message})`;
  const group = await readingGroup(path);
  const fix = group === undefined ? 'change its owner or group' : `add the user to the group ${group}`;
  return `this user may not read ${path}: ${fix}`;
}

/** The group that may read a file, or the first folder on the way that is closed to this user; undefined if none may. */
async function readingGroup(path: string): Promise<string | undefined> {
  try {
    const { gid, mode } = await stat(path);
    if (gid === 0 || (mode & 0o040) === 0) return undefined;
    const groups = await readFile('/etc/group', 'utf8').catch(() => '');
    const names = groups.split('\n').map(line => line.split(':'));
    return names.find(([, , id]) => id === String(gid))?.[0] ?? String(gid);
  } catch {
    return dirname(path) === path ? undefined : readingGroup(dirname(path));
  }
}
