import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { writeAtomically } from './write-atomically.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-write-'));
  file = join(folder, 'state.json');
  return () => rmSync(folder, { recursive: true });
});

it('replaces a file that only its owner can read', async () => {
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeAtomically(file, 'new');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o600]);
});

it.each(['victim', 'missing'])('writes through no link that was put in its way: %s', async name => {
  writeFileSync(join(folder, 'victim'), 'precious');
  symlinkSync(join(folder, name), `${file}.new`);
  await writeAtomically(file, 'new');
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('precious');
  expect(readdirSync(folder).sort()).toEqual(['state.json', 'victim']);
  expect(readFileSync(file, 'utf8')).toBe('new');
});

it('continues after a crash that left a part', async () => {
  writeFileSync(`${file}.new`, 'a long part of something');
  await writeAtomically(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
});

it('writes in order', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => writeAtomically(file, String(index))));
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['19', ['state.json']]);
});
