import { expect, it } from 'vitest';
import type { Finding } from '../contract/findings.ts';
import { findingsTable } from './findings-table.ts';
import { colorsFor } from './terminal.ts';

const checksPage = 'https://p.example/docs/checks';
const findingPage = (id: string) => `https://p.example/dashboard/findings/${Number(id.slice(-12))}`;
const plain = colorsFor({}, {});
const describe = (category: string) =>
  category.startsWith('tls.') ? { title: 'T', why: 'Visitors are turned away.' } : undefined;

let number = 0;
function finding(fields: Partial<Finding>): Finding {
  return {
    id: `00000000-0000-4000-8000-${String(++number).padStart(12, '0')}`,
    severity: 'high',
    category: 'tls.certificate_expired',
    title: 'The certificate has expired',
    remediation: 'Renew it.',
    status: 'open',
    created_at: '2026-11-21T08:00:00.000+00:00',
    updated_at: '2026-11-21T08:00:00.000+00:00',
    system_id: '00000000-0000-4000-8000-000000000000',
    ...fields,
  };
}

it('groups by severity, most severe first, with the reason and the fix', () => {
  const code = `    add_header X "${'y'.repeat(100)}";`;
  const findings = [
    finding({
      severity: 'info',
      category: 'other.thing',
      title: 'A thing\u001b[31m',
      remediation: 'Review it.',
    }),
    finding({ remediation: `Renew it.\n\nnginx:\n\n${code}` }),
    finding({ remediation: `Renew it.\n\nnginx:\n\n${code}` }),
  ];
  expect(findingsTable(findings, { colors: plain, columns: 80, describe, checksPage, findingPage })).toBe(
    [
      'HIGH',
      '',
      '  The certificate has expired',
      '  tls.certificate_expired · 2 places',
      '    Visitors are turned away.',
      '    Renew it.',
      '',
      '    nginx:',
      '',
      `    ${code}`,
      '',
      '    Where: https://p.example/dashboard/findings/2',
      '    Where: https://p.example/dashboard/findings/3',
      '',
      'INFO',
      '',
      '  A thing [31m',
      '  other.thing',
      '    Review it.',
      '',
      '    Where: https://p.example/dashboard/findings/1',
      '',
      '3 open: 2 high, 1 info',
      'All checks: https://p.example/docs/checks',
    ].join('\n'),
  );
});

it.each([60, 80, 100, 120])('fits into %i columns, in color too', columns => {
  const colors = colorsFor({ isTTY: true }, {});
  const findings = [finding({ remediation: `Write ${'x'.repeat(200)} and ${'word '.repeat(60)}` })];
  const lines = findingsTable(findings, { colors, columns, describe, checksPage, findingPage }).split('\n');
  const widths = lines.map(line => line.replace(/\u001b\[\d+m/g, '').length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  expect(lines.join('\n')).toContain('\u001b[31mHIGH');
  expect(lines.join('\n')).not.toContain('…');
});

it('has a text for no findings', () => {
  expect(findingsTable([], { colors: plain, columns: 80, describe, checksPage, findingPage })).toBe(
    'No open findings.',
  );
});

it('links to a few findings of each check', () => {
  const findings = Array.from({ length: 7 }, () => finding({}));
  const lines = findingsTable(findings, {
    colors: plain,
    columns: 80,
    describe,
    checksPage,
    findingPage,
  }).split('\n');
  expect(lines.filter(line => line.includes('Where: '))).toHaveLength(5);
  expect(lines).toContain('    and 2 more');
});
