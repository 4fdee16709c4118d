import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceKinds } from '../../src/contract/sources.ts';
import { currentRiskStatement } from '../../src/domain/risk-statements.ts';
import { defaultLimits } from '../../src/surfaces/website/budget.ts';

/** Versions of texts that people have accepted, with the beginning of their SHA-256. A changed text needs a new line. */
const texts = {
  website: ['3', 'c6fa4034284b'],
  postgres: ['2', '6c7c7f56f0d2'],
  mysql: ['2', 'ab4a59ca7546'],
  redis: ['2', '905d9766b122'],
  supabase: ['2', '6ca172ab0590'],
} as const;

it.each(sourceKinds)('the risk statement of %s has a new version if its text has changed', kind => {
  const { version, text } = currentRiskStatement(kind);
  expect([version, createHash('sha256').update(text).digest('hex').slice(0, 12)]).toEqual(texts[kind]);
});

it('names the methods and the number of requests that a safe scan of a website sends', () => {
  const { text } = currentRiskStatement('website');
  expect(text).toContain(`send GET requests to this website: at most ${defaultLimits.requests} per scan`);
  expect(text).not.toMatch(/HEAD|fixed list/);
  expect(readFileSync('docs/scanning.md', 'utf8')).toContain(`| requests | ${defaultLimits.requests}, `);
});

it('names the methods and the number of requests of a scan of a Supabase project', () => {
  const { text } = currentRiskStatement('supabase');
  const surface = readFileSync('src/surfaces/supabase/collect.ts', 'utf8');
  const [, most] = /requests: (\d+),/.exec(surface)!;
  expect(text).toContain(
    `send GET and HEAD requests to the API of this Supabase project: at most ${most} per scan`,
  );
  expect(readFileSync('docs/databases/supabase.md', 'utf8')).toContain(`at most ${most} within`);
});
