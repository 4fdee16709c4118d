import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { explainUnreadable } from './explain-unreadable.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-unreadable-'));
afterAll(() => rmSync(home, { recursive: true }));

const explain = (path: string) => readFile(path).then(String, error => explainUnreadable(path, error));

it('says why a file cannot be read', async () => {
  expect(await explain(join(home, 'missing'))).toBe(`${join(home, 'missing')} does not exist`);
  expect(await explain(home)).toBe(`${home} cannot be read (EISDIR)`);
});

it('names the group that may read a file', async () => {
  const file = join(home, 'audit.log');
  writeFileSync(file, '');
  // adm on Debian. Others cannot give files away.
  if (process.getuid?.() === 0) chownSync(file, 0, 4);
  chmodSync(file, 0o640);
  const [name, id] = execFileSync('stat', ['-c', '%G %g', file], { encoding: 'utf8' }).trim().split(' ');
  const group = name === 'UNKNOWN' ? id : name;
  // The tests may run as root, who can read all files.
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  const explained = `this user may not read ${file}: add the user to the group ${group}`;
  expect(await explainUnreadable(file, denied)).toBe(explained);
  chmodSync(file, 0o600);
  expect(await explainUnreadable(file, denied)).toBe(
    `this user may not read ${file}: change its owner or group`,
  );
});
