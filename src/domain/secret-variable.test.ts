import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SecretUnreadable, secretOf } from './secret-variable.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-test-'));
  const files = {
    secret: 'a-secret\n',
    windows: 'a-secret\r\n',
    spaced: ' a secret \n\n',
    none: '',
    blank: ' \n',
    largest: 'x'.repeat(65_536),
    larger: 'x'.repeat(65_537),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'folder'));
  // As Kubernetes mounts secrets.
  symlinkSync('secret', join(folder, 'link'));
  symlinkSync('loop', join(folder, 'loop'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string, value?: string) =>
  secretOf({ TOKEN_FILE: join(folder, name), ...(value === undefined ? {} : { TOKEN: value }) }, 'TOKEN');

it('reads the variable, or the file that the other variable names', () => {
  expect(secretOf({}, 'TOKEN')).toBeUndefined();
  expect(secretOf({ TOKEN: '', TOKEN_FILE: '' }, 'TOKEN')).toBeUndefined();
  expect(secretOf({ TOKEN: 'a-secret\n' }, 'TOKEN')).toBe('a-secret\n');
  for (const name of ['secret', 'windows', 'link']) expect(read(name), name).toBe('a-secret');
  expect(read('secret', '')).toBe('a-secret');
  expect(read('spaced')).toBe(' a secret \n');
  expect(read('largest')).toHaveLength(65_536);
  // The system reports no size of this file.
  expect(secretOf({ TOKEN_FILE: '/proc/self/environ' }, 'TOKEN')).toContain('=');
});

it.each([
  ['missing', 'the file in TOKEN_FILE cannot be read (ENOENT)'],
  ['loop', 'the file in TOKEN_FILE cannot be read (ELOOP)'],
  ['secret/a-secret', 'the file in TOKEN_FILE cannot be read (ENOTDIR)'],
  ['folder', 'TOKEN_FILE must name a regular file'],
  ['pipe', 'TOKEN_FILE must name a regular file'],
  ['../../../../../../../../dev/zero', 'TOKEN_FILE must name a regular file'],
  ['none', 'the file in TOKEN_FILE is empty'],
  ['blank', 'the file in TOKEN_FILE is empty'],
  ['larger', 'the file in TOKEN_FILE is larger than 64 KB'],
])('refuses the file %s, and names only the variable', (name, message) => {
  expect(() => read(name)).toThrow(new SecretUnreadable(message));
});

it('refuses a variable that is set in both ways', () => {
  expect(() => read('secret', 'another-secret')).toThrow(
    new SecretUnreadable('TOKEN and TOKEN_FILE are both set: remove one of them'),
  );
});
