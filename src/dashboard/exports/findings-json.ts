import type { ExportedFinding } from '../../storage/dashboard/finding-export.ts';

/** `{"findings":[…]}`, the fields of each as they are stored. */
export async function* findingsJson(batches: AsyncIterable<ExportedFinding[]>): AsyncGenerator<string> {
  yield '{"findings":[';
  yield* joined(batches, finding => finding);
  yield ']}\n';
}

/** The findings, each as JSON on a line of its own, with commas between. */
export async function* joined(
  batches: AsyncIterable<ExportedFinding[]>,
  write: (finding: ExportedFinding) => object,
): AsyncGenerator<string> {
  let separator = '\n';
  for await (const batch of batches) {
    yield separator + batch.map(finding => JSON.stringify(write(finding))).join(',\n');
    separator = ',\n';
  }
}
