import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeExample } from './write-example.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-example-'));
afterAll(() => rmSync(home, { recursive: true }));

it('writes a file that only its owner can read, and replaces none', () => {
  const file = join(home, 'etc', 'probe.yaml');
  writeExample(file, 'name: office');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['name: office', 0o600]);
  expect(() => writeExample(file, 'other')).toThrow(`${file} exists: choose another with --config`);
});

it('says what to do where it cannot write', () => {
  writeFileSync(join(home, 'file'), '');
  const file = join(home, 'file', 'probe.yaml');
  expect(() => writeExample(file, '')).toThrow(
    `${file} cannot be written (EEXIST): choose another with --config, or run this as root`,
  );
});
