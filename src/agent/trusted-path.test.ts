import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readAgentFile } from './settings.ts';

let home: string;
let folder: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parapet-trusted-'));
  folder = join(home, 'etc');
  file = join(folder, 'probe.yaml');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(file, '{}', { mode: 0o600 });
  return () => rmSync(home, { recursive: true });
});

const read = (path = file) => readAgentFile(path, 'parapet probe', () => 'read');
const isRoot = process.getuid?.() === 0;
const [other, group] = [65_534, 65_534];

function set(path: string, mode: number, gid?: number): void {
  if (gid !== undefined) chownSync(path, -1, gid);
  chmodSync(path, mode);
}

it.each([0o600, 0o640, 0o644])('reads a configuration that only its owner may change: %o', mode => {
  chmodSync(file, mode);
  expect(read()).toBe('read');
});

it.each([0o646, 0o666])('refuses a configuration that all users may change: %o', mode => {
  chmodSync(file, mode);
  expect(read).toThrow(`${file} may be changed by other users: run \`chmod go-w ${file}\``);
});

it('refuses a configuration in a folder where all users may replace it, unless only owners may', () => {
  chmodSync(folder, 0o777);
  expect(read).toThrow(
    `${file} is in ${folder}, where other users can replace it: run \`chmod go-w ${folder}\``,
  );
  chmodSync(folder, 0o1777);
  expect(read()).toBe('read');
  chmodSync(folder, 0o755);
  chmodSync(home, 0o777);
  expect(read).toThrow(`is in ${home}, where other users`);
});

it('refuses a configuration whose link other users may replace', () => {
  const link = join(home, 'open', 'probe.yaml');
  mkdirSync(join(home, 'open'));
  symlinkSync(file, link);
  expect(read(link)).toBe('read');
  chmodSync(join(home, 'open'), 0o777);
  expect(() => read(link)).toThrow(`${link} is in ${join(home, 'open')}, where other users`);
});

it.runIf(isRoot)('permits writing for the group of root, and of others only above the folder', () => {
  set(file, 0o660, 0);
  set(folder, 0o775, 0);
  set(home, 0o2775, group);
  expect(read()).toBe('read');
  set(file, 0o660, group);
  expect(read).toThrow(`${file} may be changed by other users`);
  set(file, 0o600, 0);
  set(folder, 0o775, group);
  expect(read).toThrow(`is in ${folder}, where other users`);
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

it.runIf(isRoot)('reads a configuration in a volume that is open to all users, and read only', ({ skip }) => {
  chmodSync(folder, 0o777);
  expect(read).toThrow('where other users');
  const { status } = spawnSync('mount', ['--bind', '-o', 'ro', folder, folder]);
  if (status !== 0) return skip('this machine does not permit mounts');
  try {
    expect(read()).toBe('read');
  } finally {
    execFileSync('umount', [folder]);
  }
});
