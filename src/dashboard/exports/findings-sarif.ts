import { readablePlace } from '../../contract/readable-place.ts';
import type { CheckDescription } from '../../domain/check-description.ts';
import { SarifRules, sarifHeader, sarifResult, sarifText } from '../../formats/sarif.ts';
import type { ExportedFinding } from '../../resources/findings/finding-export.ts';
import { joined } from './findings-json.ts';

interface SarifOptions {
  readonly checks: ReadonlyMap<string, CheckDescription>;
  /** URL of the page that documents all checks. */
  readonly checksPage: string;
  readonly version: string;
}

/** One SARIF 2.1.0 run. Rules follow the results, so that results need not be kept in memory. */
export async function* findingsSarif(
  batches: AsyncIterable<ExportedFinding[]>,
  { checks, checksPage, version }: SarifOptions,
): AsyncGenerator<string> {
  const rules = new SarifRules();
  yield `${JSON.stringify(sarifHeader).slice(0, -1)},"runs":[{"results":[`;
  yield* joined(batches, finding => resultOf(finding, rules));
  const tool = {
    driver: { name: 'Parapet', version, rules: rules.list(category => checks.get(category), checksPage) },
  };
  yield `],"tool":${JSON.stringify(tool)}}]}\n`;
}

function resultOf(finding: ExportedFinding, rules: SarifRules): object {
  const { source_id: id, source_name: name, source_host: host, locator } = finding;
  const place = { kind: 'source', id, name, host, locator } as const;
  const where = readablePlace(finding.category, locator);
  const isOpen = finding.status === 'open';
  return {
    ...sarifResult(finding, rules, place),
    message: sarifText(`${where}: ${finding.seen} ${finding.remediation}`),
    ...(finding.status === 'resolved' ? { baselineState: 'absent' } : {}),
    // A triaged finding is an accepted suppression (SARIF, section 3.35).
    ...(isOpen || finding.status === 'resolved'
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted' }] }),
    properties: {
      severity: finding.severity,
      status: finding.status,
      locator,
      system_id: finding.system_id,
      system_name: finding.system_name,
      created_at: finding.created_at,
      last_seen_at: finding.last_seen_at,
      owner: finding.owner?.name ?? null,
      due_on: finding.due_on,
      overdue: finding.overdue,
    },
  };
}
