import { installedFile } from '../../domain/installed-file.ts';
import { runInThread, ThreadEnded } from '../../http/run-in-thread.ts';
import type { PackFacts } from './facts.ts';
import type { ReportSubject } from './report.ts';

/** Input of the report thread: the facts of a report, or the subject of the page that replaces it. */
export type ReportTask = { readonly facts: PackFacts } | { readonly about: ReportSubject };

const program = installedFile('dist/main/report-program.js');

/** A report with the maximum number of rows of ordinary prose takes 10 seconds of CPU time. */
const limits = { ms: 60_000, megabytes: 256 };

/**
 * Writes the report as a PDF in a separate thread. A report that exceeds the limits is replaced by one page that says so.
 *
 * @param onTooMuch called with the reason if the report exceeds the limits
 */
export async function setReport(
  facts: PackFacts,
  signal: AbortSignal,
  onTooMuch: (reason: string) => void,
): Promise<Uint8Array> {
  const run = (task: ReportTask) => runInThread<Uint8Array | null>(program, task, limits, signal);
  try {
    const pdf = await run({ facts });
    if (pdf) return pdf;
    onTooMuch('too many pages');
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    onTooMuch(error.message);
  }
  const { organization, period, madeAt } = facts;
  const page = await run({ about: { organization, period, madeAt } });
  if (!page) throw new Error('the replacement page exceeds the report limits');
  return page;
}
