import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { TestedProduct } from '../../src/detectors/remediation/tests.ts';

const folder = new URL('../../src/detectors/remediation/tested/', import.meta.url);

/**
 * Compares what was proven with what the product claims: `src/detectors/remediation/tested/NAME.json`. Another version of a product
 * must prove the same. `RECORD_FIXES=1` writes the file instead.
 *
 * @param proven `check place`, in any order
 */
export async function expectRecorded(name: string, version: string, proven: Iterable<string>): Promise<void> {
  const file = new URL(`${name}.json`, folder);
  const tested: TestedProduct = { version, proven: [...proven].sort() };
  if (process.env.RECORD_FIXES === '1') {
    await writeFile(file, `${JSON.stringify(tested, null, 2)}\n`);
    return;
  }
  const recorded: TestedProduct = JSON.parse(await readFile(file, 'utf8'));
  expect(tested.proven).toEqual(recorded.proven);
}
