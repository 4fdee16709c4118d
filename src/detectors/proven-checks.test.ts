import { expect, it } from 'vitest';
import { provenChecks } from '../domain/fix-first.ts';
import { allChecks } from './catalogue.ts';

it.each(provenChecks)('ranks checks that exist: %s', known => {
  const ids = allChecks().map(({ id }) => id);
  expect(ids.some(id => (known.endsWith('.') ? id.startsWith(known) : id === known))).toBe(true);
});
