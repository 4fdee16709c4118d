import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { requirePrivateFiles } from './private-files.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-private-'));
afterAll(() => rmSync(home, { recursive: true }));
const folder = join(home, 'spool');
mkdirSync(folder);
const keyFile = join(home, 'key.json');
writeFileSync(keyFile, '{}');

function check(
  modes: { readonly folder?: number; readonly key?: number },
  file: string | undefined = keyFile,
) {
  chmodSync(folder, modes.folder ?? 0o700);
  chmodSync(keyFile, modes.key ?? 0o600);
  return checkPlaces(folder, file);
}

function checkPlaces(spool: string, file: string | undefined) {
  const service = { url: 'https://parapet.example.com', brand: 'service', authorities: undefined };
  return requirePrivateFiles({
    spool: { folder: spool, maxBytes: 0, maxAgeSeconds: 0 },
    service: { ...service, proxy: undefined, keyFile: file },
  });
}

it.each([0o770, 0o1777, 0o702, 0o720])('refuses a spool that other users can write: %o', async mode => {
  await expect(check({ folder: mode })).rejects.toThrow(`chmod go-w ${folder}`);
});

it.runIf(process.getuid?.() === 0)('refuses a spool that another user owns', async () => {
  const foreign = join(home, 'foreign');
  mkdirSync(foreign, { mode: 0o700 });
  chownSync(foreign, 65_534, 65_534);
  await expect(checkPlaces(foreign, undefined)).rejects.toThrow(`${foreign} belongs to another user`);
});

it.runIf(process.getuid?.() === 0)('accepts a spool that another user than root can make', async () => {
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(65_534);
  try {
    await checkPlaces(join(home, 'later', 'spool'), undefined);
  } finally {
    getuid.mockRestore();
  }
});

it.runIf(process.getuid?.() === 0)('refuses a spool that another user can replace', async () => {
  const above = join(home, 'above');
  const [spool, link] = [join(above, 'spool'), join(home, 'link')];
  mkdirSync(spool, { recursive: true, mode: 0o755 });
  symlinkSync(spool, link);
  chownSync(above, 65_534, 65_534);
  for (const one of [spool, link, join(above, 'new', 'spool')])
    await expect(checkPlaces(one, undefined)).rejects.toThrow(
      `${one} is in ${above}, which belongs to another user`,
    );
  chownSync(above, 0, 65_534);
  chmodSync(above, 0o777);
  await expect(checkPlaces(spool, undefined)).rejects.toThrow(
    `${spool} is in ${above}, which may be changed by other users`,
  );
  chmodSync(above, 0o1777);
  await checkPlaces(spool, undefined);
});

it.runIf(process.getuid?.() === 0)(
  'permits the group of an agent, except of root, above its spool',
  async () => {
    const volume = join(home, 'volume');
    const spool = join(volume, 'spool');
    mkdirSync(spool, { recursive: true });
    chownSync(volume, 0, 65_532);
    chmodSync(volume, 0o2775);
    chmodSync(spool, 0o700);
    const refusal = `${spool} is in ${volume}, which may be changed by its group, or users in its ACL`;
    const groups = vi.spyOn(process, 'getgroups').mockReturnValue([65_532]);
    const getuid = vi.spyOn(process, 'getuid');
    try {
      await expect(checkPlaces(spool, undefined)).rejects.toThrow(refusal);
      getuid.mockReturnValue(65_532);
      await checkPlaces(spool, undefined);
      groups.mockReturnValue([65_533]);
      await expect(checkPlaces(spool, undefined)).rejects.toThrow(refusal);
    } finally {
      vi.restoreAllMocks();
    }
  },
);

it('refuses a spool behind a link that other users can replace', async () => {
  const open = join(home, 'open');
  mkdirSync(open);
  symlinkSync('..', join(open, 'link'));
  chmodSync(folder, 0o700);
  const spools = ['spool', 'later'].map(name => `${open}/link/${name}`);
  for (const spool of spools) await checkPlaces(spool, undefined);
  chmodSync(open, 0o777);
  for (const spool of spools)
    await expect(checkPlaces(spool, undefined)).rejects.toThrow(
      `${spool} is in ${open}, which may be changed`,
    );
});

it('refuses a key that a group or another user can change or replace', async () => {
  const keys = join(home, 'keys');
  const key = join(keys, 'key.json');
  mkdirSync(keys);
  writeFileSync(key, '{}', { mode: 0o600 });
  chmodSync(folder, 0o700);
  await checkPlaces(folder, key);
  chmodSync(keys, 0o777);
  await expect(checkPlaces(folder, key)).rejects.toThrow(`${key} is in ${keys}, which may be changed`);
  chmodSync(keys, 0o755);
  chmodSync(key, 0o660);
  await expect(checkPlaces(folder, key)).rejects.toThrow(`${key} may be changed by its group`);
});

it.each([0o644, 0o604, 0o602, 0o666])('refuses a key that all users can read or change: %o', async mode => {
  await expect(check({ key: mode })).rejects.toThrow(`chmod 600 ${keyFile}`);
});

it.each([0o400, 0o440, 0o600, 0o640])('accepts a key that its owner or a group can read: %o', async mode => {
  await check({ folder: 0o755, key: mode });
});

it('leaves a key that is in the environment, missing or no file to those who read it', async () => {
  await expect(check({ key: 0o644 }, '')).resolves.toBeUndefined();
  for (const file of [join(home, 'missing'), home, '/dev/null'])
    await expect(check({ key: 0o644 }, file)).resolves.toBeUndefined();
});

it.runIf(process.getuid?.() !== 0)('refuses a spool that this user cannot write or make', async () => {
  await expect(check({ folder: 0o500 })).rejects.toThrow(`cannot write in ${folder}`);
  const inside = join(folder, 'one', 'two');
  chmodSync(folder, 0o500);
  await expect(checkPlaces(inside, keyFile)).rejects.toThrow(
    `cannot make ${inside}, the folder of the spool, in ${folder} (EACCES)`,
  );
});

it('refuses a spool below a file', async () => {
  await expect(checkPlaces(join(keyFile, 'spool'), keyFile)).rejects.toThrow('the folder of the spool');
});
