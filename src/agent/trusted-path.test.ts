import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { canTest } from '../../test/support/can-test.ts';
import { readKey } from './key-file.ts';
import { readSecret } from './secrets.ts';
import { authorities } from './setting-forms.ts';
import { readAgentFile } from './settings.ts';

let home: string;
let folder: string;
let file: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-trusted-')));
  folder = join(home, 'etc');
  file = join(folder, 'probe.yaml');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(file, '{}', { mode: 0o600 });
  return () => rmSync(home, { recursive: true });
});

const read = (path = file) => readAgentFile(path, 'parapet probe', () => 'read');
const isRoot = process.getuid?.() === 0;
const other = 65_534;

it.each([0o600, 0o640, 0o644])('reads a configuration that only its owner may change: %o', mode => {
  chmodSync(file, mode);
  expect(read()).toBe('read');
});

it.each([0o646, 0o666])('refuses a configuration that all users may change: %o', mode => {
  chmodSync(file, mode);
  expect(read).toThrow(`${file} may be changed by other users: run \`chmod go-w ${file}\``);
});

// The group's bits are the mask if there is an ACL: `setfacl -m u:www-data:rw` makes 0664 of 0644, also in root's group.
it.each([0o620, 0o664])('refuses a configuration that its group may change, whatever the group: %o', mode => {
  chmodSync(file, mode);
  expect(read).toThrow(
    `${file} may be changed by its group, or users in its ACL: run \`chmod go-w ${file}\``,
  );
});

it('refuses a configuration in a folder where others may replace it, unless only owners may', () => {
  for (const [mode, writers] of [
    [0o777, 'other users'],
    [0o775, 'its group, or users in its ACL'],
  ] as const) {
    chmodSync(folder, mode);
    expect(read).toThrow(
      `${file} is in ${folder}, which may be changed by ${writers}: run \`chmod go-w ${folder}\``,
    );
    chmodSync(folder, 0o1000 | mode);
    expect(read()).toBe('read');
    chmodSync(folder, 0o755);
    chmodSync(home, mode);
    expect(read).toThrow(`is in ${home}, which may be changed by ${writers}`);
    chmodSync(home, 0o755);
  }
});

it('refuses a configuration if one of the links to it is where others may replace it', () => {
  const open = join(home, 'open');
  mkdirSync(open);
  symlinkSync(file, join(open, 'probe.yaml'));
  symlinkSync('../etc', join(open, 'etc'));
  symlinkSync('open/probe.yaml', join(home, 'first.yaml'));
  symlinkSync(join(open, 'etc'), join(home, 'absolute'));
  const paths = ['open/probe.yaml', 'open/etc/probe.yaml', 'first.yaml', 'absolute/probe.yaml'];
  // After the link, `..` is the folder above the one that it leads to.
  const all = [...paths, 'open/etc/../etc/probe.yaml'].map(path => `${home}/${path}`);
  for (const path of all) expect(read(path)).toBe('read');
  chmodSync(open, 0o777);
  for (const path of all)
    expect(() => read(path)).toThrow(`${path} is in ${open}, which may be changed by other users`);
  expect(read()).toBe('read');
});

it('reads a configuration as Kubernetes mounts it, and from the working folder', () => {
  const volume = join(home, 'volume');
  mkdirSync(join(volume, '..2026'), { recursive: true });
  writeFileSync(join(volume, '..2026', 'probe.yaml'), '{}');
  symlinkSync('..2026', join(volume, '..data'));
  symlinkSync('..data/probe.yaml', join(volume, 'probe.yaml'));
  chmodSync(volume, 0o3777);
  expect(read(join(volume, 'probe.yaml'))).toBe('read');
  const before = process.cwd();
  process.chdir(volume);
  try {
    expect(read('probe.yaml')).toBe('read');
    chmodSync(volume, 0o777);
    expect(() => read('probe.yaml')).toThrow(`is in ${volume}, which may be changed by other users`);
  } finally {
    process.chdir(before);
  }
});

it('explains links that lead to each other, and a configuration that is missing', () => {
  symlinkSync('loop', join(home, 'loop'));
  expect(() => read(join(home, 'loop'))).toThrow('cannot be read (ELOOP)');
  expect(() => read(join(home, 'missing'))).toThrow('does not exist');
});

it.runIf(isRoot)('refuses a link of another user, who may replace it where only owners may', () => {
  const link = join(home, 'link');
  symlinkSync(folder, link);
  chmodSync(home, 0o1777);
  expect(read(join(link, 'probe.yaml'))).toBe('read');
  lchownSync(link, other, other);
  expect(() => read(join(link, 'probe.yaml'))).toThrow(
    `is behind the link ${link}, which belongs to another user: run \`chown -h root ${link}\``,
  );
});

it('refuses other files of the configuration that others can change', async () => {
  const service = { url: 'https://parapet.example.com', brand: 'service', authorities: undefined };
  const why = `${file} may be changed by other users: run \`chmod go-w ${file}\``;
  expect(await readSecret({ file })).toBe('{}');
  await expect(readKey({ ...service, proxy: undefined, keyFile: file })).rejects.toThrow('lacks token');
  expect(authorities(file)).toEqual({ wrong: 'must be a PEM file with certificates' });
  chmodSync(file, 0o646);
  await expect(readSecret({ file })).rejects.toThrow(why);
  await expect(readKey({ ...service, proxy: undefined, keyFile: file })).rejects.toThrow(why);
  expect(`${file} ${(authorities(file) as { wrong: string }).wrong}`).toBe(why);
});

it('refuses a pipe, which would wait for a writer', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const why = 'is not a regular file';
  expect(() => read(pipe)).toThrow(`${pipe} ${why}`);
  await expect(readSecret({ file: pipe })).rejects.toThrow(`the file ${pipe} ${why}`);
  const service = { url: 'https://parapet.example.com', brand: 'service', authorities: undefined };
  await expect(readKey({ ...service, proxy: undefined, keyFile: pipe })).rejects.toThrow(`${pipe} ${why}`);
  expect(authorities(pipe)).toEqual({ wrong: why });
  await expect(readSecret({ file: folder })).rejects.toThrow(why);
});

it('refuses a file that would take the memory of the host', async () => {
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, 16 * 1024 * 1024 + 1);
  await expect(readSecret({ file: large })).rejects.toThrow(`the file ${large} is larger than 16 MB`);
});

it('gives no advice to change a device', async () => {
  const why = '/dev/null is not a regular file';
  expect(() => read('/dev/null')).toThrow(why);
  await expect(readSecret({ file: '/dev/null' })).rejects.toThrow(why);
});

it.runIf(isRoot)('refuses a configuration of another user, or in a folder of one', () => {
  for (const [path, message] of [
    [file, `${file} belongs to another user: run \`chown root ${file}\``],
    [folder, `${file} is in ${folder}, which belongs to another user: run \`chown root ${folder}\``],
    [home, `${file} is in ${home}, which belongs to another user`],
  ] as const) {
    chownSync(path, other, 0);
    expect(read).toThrow(message);
    chownSync(path, 0, 0);
  }
  expect(read()).toBe('read');
});

it.runIf(isRoot)(
  'permits all users to write in a volume that is read only, not in other folders',
  ({ skip }) => {
    const mount = (...options: string[]) => spawnSync('mount', [...options, folder, folder]).status === 0;
    chmodSync(folder, 0o777);
    expect(read).toThrow('may be changed by other users');
    // As folders are for a service with systemd's `ProtectSystem=strict`: others can write there.
    if (
      !canTest(mount('--bind', '-o', 'ro'), 'this machine permits no mounts; no read-only folder is tested')
    )
      return skip();
    try {
      expect(read).toThrow('may be changed by other users');
      expect(mount('-t', 'tmpfs', '-o', 'mode=777')).toBe(true);
      writeFileSync(file, '{}');
      expect(read).toThrow('may be changed by other users');
      execFileSync('mount', ['-o', 'remount,ro', folder]);
      expect(read()).toBe('read');
      execFileSync('umount', [folder]);
    } finally {
      execFileSync('umount', [folder]);
    }
  },
);
