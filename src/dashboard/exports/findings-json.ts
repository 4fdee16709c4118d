import type { ExportedFinding } from '../../resources/findings/finding-export.ts';
import { writeRows } from './pace.ts';

/** `{"findings":[…]}`, with fields as stored. */
export async function* findingsJson(batches: AsyncIterable<ExportedFinding[]>): AsyncGenerator<string> {
  yield '{"findings":[';
  yield* joined(batches, finding => finding);
  yield ']}\n';
}

/** Findings as JSON, one per line, separated by commas. */
export async function* joined(
  batches: AsyncIterable<ExportedFinding[]>,
  write: (finding: ExportedFinding) => object,
): AsyncGenerator<string> {
  let separator = '\n';
  yield* writeRows(batches, findings => {
    const piece = separator + findings.map(finding => JSON.stringify(write(finding))).join(',\n');
    separator = ',\n';
    return piece;
  });
}
