import { expect, it } from 'vitest';
import { type CheckCount, rankChecks } from './fix-first.ts';

const count = (check: string, severity: CheckCount['severity'], number = 1) => ({
  check,
  severity,
  count: number,
});
const order = (...counts: CheckCount[]) => rankChecks(counts).map(({ check }) => check);

it('ranks by severity, then what strangers can use, then the number of findings, then the id', () => {
  expect(
    order(
      count('csp.missing', 'medium', 90),
      count('tls.weak_key', 'medium', 90),
      count('exposure.log_file', 'medium', 1),
      count('secrets.webhook_url', 'medium', 2),
      count('tls.certificate_expired', 'high', 1),
      count('csp.unsafe_inline', 'medium', 91),
      count('injection.sql', 'critical', 1),
    ),
  ).toEqual([
    ...['injection.sql', 'tls.certificate_expired', 'secrets.webhook_url', 'exposure.log_file'],
    ...['csp.unsafe_inline', 'csp.missing', 'tls.weak_key'],
  ]);
});

it('counts all findings of a check, with its highest severity, without info and what is left out', () => {
  const counts = [
    count('a.b', 'low', 2),
    count('a.b', 'high', 1),
    count('a.b', 'medium', 3),
    count('a.b', 'info', 9),
    count('c.d', 'info', 9),
    count('e.f', 'high', 0),
  ];
  expect(rankChecks(counts)).toEqual([{ check: 'a.b', severity: 'high', count: 6 }]);
  expect(rankChecks(counts.toReversed())).toEqual(rankChecks(counts));
});
