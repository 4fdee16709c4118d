import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allDetectors } from '../../src/detectors/catalogue.ts';
import { checkDocument } from '../../src/main/check-document.ts';

const file = new URL('../../docs/checks.md', import.meta.url);

it('documents every check as in the catalog (npx parapet checks --format markdown > docs/checks.md)', () => {
  const current = checkDocument(allDetectors());
  if (process.env.UPDATE_DOCUMENTS) writeFileSync(file, current);
  expect(readFileSync(file, 'utf8')).toBe(current);
});

it('has one anchor for each check', () => {
  const document = readFileSync(file, 'utf8');
  for (const { checks } of allDetectors()) {
    for (const { id } of checks) expect(document.split(`<a id="${id}">`), id).toHaveLength(2);
  }
});
