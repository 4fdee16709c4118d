import { installedFile } from '../../domain/installed-file.ts';
import { runInThread, ThreadEnded } from '../../http/run-in-thread.ts';
import type { PackFacts } from './facts.ts';
import type { ReportSubject } from './report.ts';

/** What the thread of a report is to write: the report, or that there is none. */
export type ReportTask = { readonly facts: PackFacts } | { readonly about: ReportSubject };

const program = installedFile('dist/main/report-program.js');

/** A report of everything that it shows at most, in ordinary prose, takes 10 seconds of a processor. */
const limits = { ms: 60_000, megabytes: 256 };

/**
 * The report as a PDF, written in a thread of its own. Where it is more than can be written, it is one page that says so.
 *
 * @param onTooMuch is told why there is no report
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
  if (!page) throw new Error('one page is too many');
  return page;
}
