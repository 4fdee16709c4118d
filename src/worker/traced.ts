import type { ScanJob } from '../database/jobs/queues.ts';
import type { Tracer } from '../domain/tracing.ts';

/** A job handler that is measured as a part of what sent the job. The job that it gets names the new span. */
export function traced<Job extends ScanJob>(
  tracer: Tracer | undefined,
  queue: string,
  work: (job: Job, signal: AbortSignal) => Promise<void>,
): (job: Job, signal: AbortSignal) => Promise<void> {
  if (!tracer) return work;
  return async (job, signal) => {
    const attributes = { 'messaging.destination.name': queue, 'parapet.scan_id': job.scanId };
    const span = tracer.start(queue, { kind: 'consumer', parent: job.trace, attributes });
    let problem: string | undefined = 'job_failed';
    try {
      await work({ ...job, trace: span.traceparent }, signal);
      problem = undefined;
    } finally {
      span.end({}, problem);
    }
  };
}
