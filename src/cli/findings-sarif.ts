import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import { type Severity, severities } from '../contract/severity.ts';
import type { DescribeCheck } from './describe-check.ts';

/** What was scanned, as a SARIF location. */
export interface ScanTarget {
  readonly kind: 'system' | 'source';
  readonly id: string;
  readonly name: string;
  /** Where a website is; a system or a database has no address that a reader of SARIF could open. */
  readonly uri?: string;
}

export interface SarifOptions {
  readonly scan: ScanWithRuns;
  readonly target: ScanTarget;
  readonly describe: DescribeCheck;
  /** The page that explains every check. */
  readonly checksPage: string;
  /** This program's version. */
  readonly version: string;
}

const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** What code-scanning services sort by, in the middle of the bands that CVSS gives these words. */
const scores: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
};

/** The findings as a log of the OASIS standard SARIF 2.1.0. */
export function findingsSarif(findings: readonly Finding[], options: SarifOptions): object {
  const { scan, target, version } = options;
  const rules = rulesOf(findings, options);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const succeeded = scan.status === 'completed' && scan.runs_succeeded === scan.runs_planned;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Parapet', version, rules } },
        automationDetails: { id: `parapet/${target.kind}/${target.id}/${scan.id}` },
        invocations: [
          {
            executionSuccessful: succeeded,
            ...(scan.started_at ? { startTimeUtc: utc(scan.started_at) } : {}),
            ...(scan.finished_at ? { endTimeUtc: utc(scan.finished_at) } : {}),
          },
        ],
        properties: { scan_id: scan.id, status: scan.status, verdict: scan.verdict },
        results: findings.map(finding => ({
          ruleId: finding.category,
          ruleIndex: indexes.get(finding.category),
          guid: finding.id,
          level: levels[finding.severity],
          message: { text: `${finding.title}. ${finding.remediation}` },
          locations: [locationOf(target)],
          partialFingerprints: { 'parapetFindingId/v1': finding.id },
          properties: {
            severity: finding.severity,
            system_id: finding.system_id,
            created_at: finding.created_at,
            updated_at: finding.updated_at,
          },
        })),
      },
    ],
  };
}

/** One rule per category, as bad as the worst finding of it. */
function rulesOf(findings: readonly Finding[], { describe, checksPage }: SarifOptions) {
  const worst = new Map<string, Finding>();
  for (const finding of findings) {
    const known = worst.get(finding.category);
    if (!known || severities.indexOf(finding.severity) < severities.indexOf(known.severity)) {
      worst.set(finding.category, finding);
    }
  }
  return [...worst.values()].map(({ category, severity, title, remediation }) => {
    const check = describe(category);
    return {
      id: category,
      shortDescription: { text: check?.title ?? title },
      ...(check ? { fullDescription: { text: check.why } } : {}),
      help: { text: remediation },
      helpUri: `${checksPage}#${category}`,
      defaultConfiguration: { level: levels[severity] },
      properties: { tags: ['security', category.split('.')[0]], 'security-severity': scores[severity] },
    };
  });
}

function locationOf({ kind, id, name, uri }: ScanTarget): object {
  return {
    ...(uri ? { physicalLocation: { artifactLocation: { uri } } } : {}),
    logicalLocations: [{ name, fullyQualifiedName: `${kind}/${id}`, kind: 'resource' }],
  };
}

/** SARIF wants UTC with a Z (section 3.9 of the standard). */
function utc(timestamp: string): string {
  return new Date(timestamp).toISOString();
}
