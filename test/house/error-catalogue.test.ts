import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCauses, testErrors } from '../../src/contract/causes.ts';
import { apiErrors, errorCatalogue } from '../../src/contract/errors.ts';

const document = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const rows = [...document.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
  code,
  Number(status),
]);

it('documents every error with its status, and no other (spec 7)', () => {
  const catalogue = Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]);
  expect([...rows].sort()).toEqual([...catalogue].sort());
});

it('documents every error code of a connection test and every cause of a run (spec 2)', () => {
  const api = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const section = (title: string) => api.split(`### ${title}\n`)[1]!.split(/^##/m)[0]!;
  const codes = (text: string) =>
    [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
    );
  const ofTests = codes(section('Connection tests')).filter(code => code !== 'error_code');
  expect(ofTests.sort()).toEqual([...testErrors].sort());
  const ofRuns = codes(section('Causes of runs')).filter(code => code !== 'cause');
  const both = [...ofTests.filter(code => code !== 'no_probe_report'), ...ofRuns];
  expect(both.sort()).toEqual([...runCauses].sort());
});

it('uses one of the six texts for every error of the API, unless a 400 names the rule (spec 7)', () => {
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
