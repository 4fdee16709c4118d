import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { ProvenSteps } from '../../src/detectors/remediation/tests.ts';

const folder = new URL('../../src/detectors/remediation/tested/', import.meta.url);
const isRecording = process.env.RECORD_FIXES === '1';

/**
 * Compares the proven steps with the claims in `src/detectors/remediation/tested/NAME.json`. Another version
 * of a product must prove the same steps. `RECORD_FIXES=1` writes the file instead.
 *
 * @param proven the versions by the name of the step, in any order
 */
export async function expectRecorded(name: string, proven: ReadonlyMap<string, string>): Promise<void> {
  const file = new URL(`${name}.json`, folder);
  const steps: ProvenSteps = Object.fromEntries([...proven].sort());
  if (isRecording) {
    await writeFile(file, `${JSON.stringify(steps, null, 2)}\n`);
    return;
  }
  const recorded: ProvenSteps = JSON.parse(await readFile(file, 'utf8'));
  expect(Object.keys(steps)).toEqual(Object.keys(recorded));
}

/** The same for a parser, where only its version is claimed: `tested/parsers.json`. */
export async function recordParser(name: string, version: string): Promise<void> {
  const file = new URL('parsers.json', folder);
  const recorded: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  if (isRecording) {
    const versions = Object.entries({ ...recorded, [name]: version }).sort(([a], [b]) => (a < b ? -1 : 1));
    await writeFile(file, `${JSON.stringify(Object.fromEntries(versions), null, 2)}\n`);
    return;
  }
  expect(recorded).toHaveProperty([name]);
}
