import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignore } from './error.ts';
import type { Home } from './home.ts';

/** The file with the password, which no other user can read. */
export function passwordFile(home: Home): string {
  return join(home.directory, 'password');
}

/** The password of the cluster's superuser, from `<home>/password` (mode 0600), created if missing. */
export async function readOrMakePassword(home: Home): Promise<string> {
  const path = passwordFile(home);
  const existing = await readPassword(path);
  if (existing !== undefined) return existing;
  const unfinished = join(home.directory, `password-${process.pid}-${randomBytes(4).toString('hex')}`);
  await writeFile(unfinished, `${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  // A link, not a rename: a process that starts at the same time must not replace a password in use.
  await link(unfinished, path).catch(ignore('EEXIST'));
  await unlink(unfinished);
  return (await readPassword(path))!;
}

async function readPassword(path: string) {
  return (await readFile(path, 'utf8').catch(ignore('ENOENT')))?.trim();
}
