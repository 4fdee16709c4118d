import { readablePlace } from '../../contract/readable-place.ts';
import { csvLine } from '../../formats/csv.ts';
import type { ExportedFinding } from '../../resources/findings/finding-export.ts';
import { writeRows } from './pace.ts';

const columns = [
  'id',
  'severity',
  'status',
  'category',
  'title',
  'location',
  'locator',
  'seen',
  'remediation',
  'system_name',
  'source_name',
  'source_kind',
  'source_host',
  'created_at',
  'updated_at',
  'last_seen_at',
  'accepted_until',
  'owner',
  'due_on',
  'overdue',
  'source_id',
  'system_id',
] as const satisfies readonly (keyof ExportedFinding | 'location')[];

/** With a header line. Escaped for spreadsheets, since targets control parts of findings. */
export async function* findingsCsv(batches: AsyncIterable<ExportedFinding[]>): AsyncGenerator<string> {
  yield csvLine(columns);
  yield* writeRows(batches, findings =>
    findings
      .map(finding => ({
        ...finding,
        owner: finding.owner?.name ?? null,
        location: readablePlace(finding.category, finding.locator),
      }))
      .map(row => csvLine(columns.map(column => row[column])))
      .join(''),
  );
}
