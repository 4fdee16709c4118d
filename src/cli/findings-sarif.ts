import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import { type SarifPlace, SarifRules, sarifHeader, sarifResult, sarifText } from '../formats/sarif.ts';
import type { DescribeCheck } from './describe-check.ts';
import { type DescribeCause, gapsOf } from './scan-outcome.ts';
import { forTerminal } from './terminal.ts';

export interface SarifOptions {
  readonly scan: ScanWithRuns;
  readonly target: SarifPlace;
  readonly describe: DescribeCheck;
  readonly describeCause: DescribeCause;
  /** URL of the page that documents all checks. */
  readonly checksPage: string;
  /** URL of a finding's page in the dashboard, which names its place: answers of the API do not. */
  readonly findingPage: (id: string) => string;
  /** Version of Parapet. */
  readonly version: string;
}

/** Converts findings to SARIF 2.1.0 (OASIS standard). */
export function findingsSarif(findings: readonly Finding[], options: SarifOptions): object {
  const { scan, target, version, describe, describeCause, checksPage, findingPage } = options;
  const rules = new SarifRules();
  const results = findings.map(finding => ({
    ...sarifResult(finding, rules, target),
    message: sarifText(`${finding.title}. ${finding.remediation}`),
    hostedViewerUri: findingPage(finding.id),
    properties: {
      severity: finding.severity,
      system_id: finding.system_id,
      created_at: finding.created_at,
      updated_at: finding.updated_at,
    },
  }));
  const gaps = gapsOf(scan, describeCause).map(text => ({
    level: 'warning',
    message: { text: forTerminal(text) },
  }));
  const succeeded = scan.status === 'completed' && scan.runs_succeeded === scan.runs_planned;
  return {
    ...sarifHeader,
    runs: [
      {
        tool: { driver: { name: 'Parapet', version, rules: rules.list(describe, checksPage) } },
        automationDetails: { id: `parapet/${target.kind}/${target.id}/${scan.id}` },
        invocations: [
          {
            executionSuccessful: succeeded,
            ...(gaps.length > 0 ? { toolExecutionNotifications: gaps } : {}),
            ...(scan.started_at ? { startTimeUtc: utc(scan.started_at) } : {}),
            ...(scan.finished_at ? { endTimeUtc: utc(scan.finished_at) } : {}),
          },
        ],
        properties: { scan_id: scan.id, status: scan.status, verdict: scan.verdict },
        results,
      },
    ],
  };
}

/** SARIF requires UTC with a Z (section 3.9 of the standard). */
function utc(timestamp: string): string {
  return new Date(timestamp).toISOString();
}
