import { expect, it } from 'vitest';
import { sarifValidator } from '../../test/support/sarif-schema.ts';
import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import { allDetectors, checkById } from '../detectors/catalogue.ts';
import { findingsSarif } from './findings-sarif.ts';

const scan: ScanWithRuns = {
  id: '00000000-0000-4000-8000-00000000000a',
  profile: 'safe_all_surfaces',
  status: 'completed',
  verdict: 'fail',
  runs_planned: 1,
  runs_succeeded: 1,
  system_id: null,
  source_id: '00000000-0000-4000-8000-00000000000b',
  created_at: '2026-11-21T08:00:00.000+00:00',
  started_at: '2026-11-21T08:00:01.000+00:00',
  finished_at: '2026-11-21T10:00:02.000+02:00',
  runs: [],
};

function finding(id: string, severity: Finding['severity'], category: string): Finding {
  return {
    id,
    severity,
    category,
    title: `Title of ${category}`,
    remediation: 'Fix it.',
    status: 'open',
    created_at: '2026-11-21T08:00:00.000+00:00',
    updated_at: '2026-11-21T08:00:00.000+00:00',
    system_id: '00000000-0000-4000-8000-00000000000c',
  };
}

it('has a rule for each category and a result for each finding', () => {
  const log = findingsSarif(
    [finding('1', 'low', 'tls.weak'), finding('2', 'critical', 'tls.weak'), finding('3', 'info', 'other')],
    {
      scan,
      target: { kind: 'source', id: 'b', name: 'Portal', host: 'https://portal.example:8443/app/' },
      describe: id => (id === 'tls.weak' ? { title: 'Weak', why: 'It breaks.' } : undefined),
      checksPage: 'https://p.example/docs/checks',
      findingPage: (id: string) => `https://p.example/dashboard/findings/${id}`,
      describeCause: cause => cause,
      version: '1.2.3',
    },
  );
  expect(log).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Parapet',
            version: '1.2.3',
            rules: [
              {
                id: 'tls.weak',
                shortDescription: { text: 'Weak' },
                fullDescription: { text: 'It breaks.' },
                helpUri: 'https://p.example/docs/checks#tls.weak',
                defaultConfiguration: { level: 'error' },
                properties: { 'security-severity': '9.5' },
              },
              { id: 'other', shortDescription: { text: 'Title of other' }, help: { text: 'Fix it.' } },
            ],
          },
        },
        invocations: [{ executionSuccessful: true, endTimeUtc: '2026-11-21T08:00:02.000Z' }],
        results: [
          {
            ruleId: 'tls.weak',
            ruleIndex: 0,
            level: 'note',
            partialFingerprints: { 'parapetFindingId/v1': '1' },
          },
          { ruleId: 'tls.weak', ruleIndex: 0, level: 'error' },
          {
            ruleId: 'other',
            ruleIndex: 1,
            level: 'note',
            message: { text: 'Title of other. Fix it.' },
            hostedViewerUri: 'https://p.example/dashboard/findings/3',
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'portal.example%3A8443/app' },
                  region: { startLine: 1 },
                },
                logicalLocations: [{ name: 'Portal', fullyQualifiedName: 'source/b' }],
              },
            ],
          },
        ],
      },
    ],
  });
});

it('reports a scan with unsuccessful runs as not successful', () => {
  const options = {
    describeCause: (cause: string) => `It is ${cause}.`,
    target: { kind: 'system', id: 'c', name: 'S' },
    describe: () => undefined,
    checksPage: 'https://p.example/docs/checks',
    findingPage: (id: string) => `https://p.example/dashboard/findings/${id}`,
    version: '1',
  } as const;
  const log = findingsSarif([], { ...options, scan: { ...scan, runs_succeeded: 0 } });
  expect(log).toMatchObject({ runs: [{ invocations: [{ executionSuccessful: false }], results: [] }] });
});

it('is SARIF 2.1.0 by the schema of the standard, for every check and every outcome of a scan', () => {
  const validate = sarifValidator();
  const findings = allDetectors()
    .flatMap(({ checks }) => checks)
    .map(({ id, severity }, index) =>
      finding(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, severity, id),
    );
  const options = {
    describeCause: (cause: string) => `It is ${cause}.`,
    describe: checkById,
    checksPage: 'https://p.example/docs/checks',
    findingPage: (id: string) => `https://p.example/dashboard/findings/${id}`,
    version: '0.1.0',
  };
  const targets = [
    { kind: 'source', id: 'b', name: 'Portal', uri: 'https://portal.example/' },
    { kind: 'system', id: 'c', name: 'S' },
  ] as const;
  for (const target of targets) {
    for (const status of ['completed', 'failed', 'canceled'] as const) {
      const log = findingsSarif(findings, { ...options, target, scan: { ...scan, status } });
      expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    }
  }
  // The validator does reject invalid logs.
  expect(validate({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
});

it('gives a finding the same fingerprint in every report', () => {
  const options = {
    describeCause: (cause: string) => `It is ${cause}.`,
    target: { kind: 'system', id: 'c', name: 'S' },
    describe: () => undefined,
    checksPage: 'https://p.example/docs/checks',
    findingPage: (id: string) => `https://p.example/dashboard/findings/${id}`,
    version: '1',
  } as const;
  const fingerprintsIn = (report: ReturnType<typeof findingsSarif>) =>
    (report as { runs: { results: { partialFingerprints: object }[] }[] }).runs[0]!.results.map(
      result => result.partialFingerprints,
    );
  const first = findingsSarif([finding('1', 'low', 'tls.weak'), finding('2', 'low', 'tls.weak')], {
    ...options,
    scan,
  });
  const later = findingsSarif([finding('2', 'high', 'tls.weak')], {
    ...options,
    scan: { ...scan, id: '00000000-0000-4000-8000-00000000000d' },
  });
  expect(fingerprintsIn(later)).toEqual([fingerprintsIn(first)[1]]);
});
