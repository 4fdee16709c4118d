import { csvLine } from '../../formats/csv.ts';
import type { ExportedFinding } from '../../resources/findings/finding-export.ts';
import { writeRows } from './pace.ts';

const columns = [
  'id',
  'severity',
  'status',
  'category',
  'title',
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
  'source_id',
  'system_id',
] as const satisfies readonly (keyof ExportedFinding)[];

/** With a header line. Escaped for spreadsheets, since targets control parts of findings. */
export async function* findingsCsv(batches: AsyncIterable<ExportedFinding[]>): AsyncGenerator<string> {
  yield csvLine(columns);
  yield* writeRows(batches, findings =>
    findings.map(finding => csvLine(columns.map(column => finding[column]))).join(''),
  );
}
