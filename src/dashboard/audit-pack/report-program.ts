import { parentPort, workerData } from 'node:worker_threads';
import { yieldThread } from '../../http/yield-thread.ts';
import { writeNoReport, writeReport } from './report.ts';
import { ReportTooLong } from './report-writer.ts';
import type { ReportTask } from './set-report.ts';

// Entry point of the thread that writes one report. PDF libraries are loaded only here.

yieldThread();
const task = workerData as ReportTask;
try {
  const pdf = await ('facts' in task ? writeReport(task.facts) : writeNoReport(task.about));
  parentPort!.postMessage(pdf);
} catch (error) {
  if (!(error instanceof ReportTooLong)) throw error;
  parentPort!.postMessage(null);
}
