import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { refusalReasons } from '../../src/domain/refusal-reasons.ts';

const page = await readFile(new URL('../../docs/logging.md', import.meta.url), 'utf8');

/** The first column of the table with this header. */
function rowsOf(header: string): string[] {
  const table = page.split(`${header}\n`)[1]!.split('\n\n')[0]!;
  return table
    .split('\n')
    .flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

it('documents every reason of a refusal', () => {
  expect(rowsOf('| reason | status | the request |').toSorted()).toEqual(refusalReasons.toSorted());
});
