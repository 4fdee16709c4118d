import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiErrors, errorCatalogue } from '../../src/contract/errors.ts';

const document = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const rows = [...document.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
  code,
  Number(status),
]);

it('documents every error with its status, and no other', () => {
  const catalogue = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]);
  expect([...rows].sort()).toEqual([...catalogue].sort());
});

it('words every error of the API as one of the six texts, unless a 400 names the rule', () => {
  const texts = [
    'Invalid body',
    'Unauthorized',
    'Forbidden',
    'Not found',
    'Payload too large',
    'Request failed',
  ];
  const others = Object.values(apiErrors).filter(({ error }) => !texts.includes(error));
  expect(others.every(({ status }) => status === 400)).toBe(true);
});
