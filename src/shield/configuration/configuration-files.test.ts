import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigurationFiles } from './configuration-files.ts';

const root = mkdtempSync(join(tmpdir(), 'parapet-root-'));
const secret = join(tmpdir(), `${root.slice(-6)}-outside`);
beforeAll(() => {
  for (const folder of ['available', 'enabled', 'hidden'])
    mkdirSync(join(root, 'etc', folder), { recursive: true });
  writeFileSync(join(root, 'etc', 'available', 'shop'), 'server {}');
  writeFileSync(secret, 'not of this root');
  const links = {
    absolute: '/etc/available/shop',
    relative: '../available/shop',
    chained: '/etc/enabled/absolute',
    above: '../../../../../etc/available/shop',
    loop: 'loop',
    outside: secret,
    upward: `../../../../../../..${secret}`,
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, 'etc', 'enabled', name));
});
afterAll(() => {
  rmSync(root, { recursive: true });
  rmSync(secret);
});

it.each(['absolute', 'relative', 'chained', 'above'])('follows a link below the root: %s', async name => {
  const files = new ConfigurationFiles(root);
  expect(await files.read(`/etc/enabled/${name}`)).toBe('server {}');
  expect(await files.haveChanged()).toBe(false);
});

it.each(['loop', 'outside', 'upward'])('reads nothing outside of the root: %s', async name => {
  const files = new ConfigurationFiles(root);
  expect(await files.read(`/etc/enabled/${name}`)).toBe(undefined);
  expect(files.unreadable).toEqual([]);
});

it('notices what a link leads to', async () => {
  const files = new ConfigurationFiles(root);
  await files.read('/etc/enabled/chained');
  writeFileSync(join(root, 'etc', 'available', 'shop'), 'server { }');
  expect(await files.haveChanged()).toBe(true);
  writeFileSync(join(root, 'etc', 'available', 'shop'), 'server {}');
});

it.runIf(process.getuid?.() !== 0)('names what this user may not read', async () => {
  const file = join(root, 'etc', 'hidden', 'modsecurity.conf');
  writeFileSync(file, 'SecRuleEngine On', { mode: 0o000 });
  const files = new ConfigurationFiles(root);
  expect(await files.read('/etc/hidden/modsecurity.conf')).toBe(undefined);
  chmodSync(join(root, 'etc', 'hidden'), 0o000);
  await files.matching('*.conf', '/etc/hidden');
  chmodSync(join(root, 'etc', 'hidden'), 0o700);
  expect(files.unreadable).toEqual(['/etc/hidden/modsecurity.conf', '/etc/hidden']);
});
