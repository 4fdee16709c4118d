import { expect, it } from 'vitest';
import type { Finding } from '../contract/findings.ts';
import type { Severity } from '../contract/severity.ts';
import { groupFindings } from './group-findings.ts';

let id = 0;
const finding = (category: string, severity: Severity) =>
  ({ id: `${++id}`, category, severity, title: category, remediation: '' }) as Finding;

it('lists what strangers can use before what has more findings, and info by category', () => {
  const groups = groupFindings([
    ...['tls.old_version', 'csp.missing', 'csp.missing'].map(category => finding(category, 'high')),
    ...['exposure.log_file', 'csp.missing'].map(category => finding(category, 'high')),
    ...['seo.b', 'seo.a'].map(category => finding(category, 'info')),
  ]);
  const listed = groups.map(({ severity, flaws }) => [
    severity,
    flaws.map(({ category, ids }) => `${category} ${ids.length}`),
  ]);
  expect(listed).toEqual([
    ['high', ['exposure.log_file 1', 'csp.missing 3', 'tls.old_version 1']],
    ['info', ['seo.a 1', 'seo.b 1']],
  ]);
});
