import type { FindingStatus } from '../../contract/findings.ts';
import { readablePlace } from '../../contract/readable-place.ts';
import type { Severity } from '../../contract/severity.ts';
import type { CheckDescription } from '../../domain/check-description.ts';
import type { ExportedFinding } from '../../resources/findings/finding-export.ts';
import { jsonLines } from './json-lines.ts';

interface OcsfOptions {
  readonly checks: ReadonlyMap<string, CheckDescription>;
  readonly version: string;
}

/**
 * OCSF 1.3.0 events (https://schema.ocsf.io/1.3.0), one JSON object per line.
 *
 * Events have the class Compliance Finding (`class_uid` 2003): the result of a check that a resource passes or fails. The
 * class Vulnerability Finding (2002) does not fit: it requires a CVE, a CWE or an advisory for each vulnerability, and most
 * findings are misconfigurations without one.
 */
export function findingsOcsf(
  batches: AsyncIterable<ExportedFinding[]>,
  options: OcsfOptions,
): AsyncGenerator<string> {
  return jsonLines(batches, finding => eventOf(finding, options));
}

const severityIds: Record<Severity, [id: number, caption: string]> = {
  info: [1, 'Informational'],
  low: [2, 'Low'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
};

const statusIds: Record<FindingStatus, [id: number, caption: string]> = {
  open: [1, 'New'],
  accepted: [3, 'Suppressed'],
  false_positive: [3, 'Suppressed'],
  resolved: [4, 'Resolved'],
};

const classId = 2003;

function eventOf(finding: ExportedFinding, { checks, version }: OcsfOptions): object {
  const resolved = finding.status === 'resolved';
  const [activity_id, activity_name] = resolved ? [3, 'Close'] : [1, 'Create'];
  const [severity_id, severity] = severityIds[finding.severity];
  const [status_id, status] = statusIds[finding.status];
  const created = milliseconds(finding.created_at);
  const check = checks.get(finding.category);
  const safeguards = check?.safeguards ?? [];
  return {
    activity_id,
    activity_name,
    category_uid: 2,
    category_name: 'Findings',
    class_uid: classId,
    class_name: 'Compliance Finding',
    type_uid: classId * 100 + activity_id,
    type_name: `Compliance Finding: ${activity_name}`,
    time: created,
    severity_id,
    severity,
    status_id,
    status,
    message: finding.seen,
    metadata: { version: '1.3.0', product: { name: 'Parapet', vendor_name: 'Parapet', version } },
    finding_info: {
      uid: finding.id,
      title: finding.title,
      desc: finding.seen,
      types: [finding.category],
      analytic: { uid: finding.category, name: check?.title ?? finding.title, type_id: 1, type: 'Rule' },
      created_time: created,
      first_seen_time: created,
      last_seen_time: milliseconds(finding.last_seen_at),
      modified_time: milliseconds(finding.updated_at),
    },
    compliance: {
      control: finding.category,
      standards: safeguards.length > 0 ? ['45 CFR Part 164'] : ['Parapet checks'],
      ...(safeguards.length > 0 ? { requirements: safeguards.map(({ citation }) => citation) } : {}),
      status_id: resolved ? 1 : 3,
      status: resolved ? 'Pass' : 'Fail',
    },
    remediation: { desc: finding.remediation, ...(check ? { references: [...check.references] } : {}) },
    // The attribute `assignee` came with version 1.4.0, and none has a due date.
    unmapped: {
      owner: finding.owner && { uid: finding.owner.id, name: finding.owner.name },
      due_on: finding.due_on,
      overdue: finding.overdue,
    },
    resources: [
      {
        uid: finding.source_id,
        name: finding.source_name,
        type: finding.source_kind,
        group: { uid: finding.system_id, name: finding.system_name },
        data: {
          host: finding.source_host,
          location: readablePlace(finding.category, finding.locator),
          locator: finding.locator,
        },
      },
    ],
  };
}

function milliseconds(timestamp: string): number {
  return new Date(timestamp).getTime();
}
