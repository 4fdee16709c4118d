import type { Logger } from 'pino';
import type { OnCommitted } from '../domain/committed-events.ts';
import type { Metrics } from '../http/metrics.ts';

/** Logs every scan from its request to its end, and counts scans and runs. */
export function reportCommitted(logger: Pick<Logger, 'info'>, metrics: Metrics): OnCommitted {
  return (event, by) => {
    if (event.event === 'runs.ended') {
      for (const { detector, status, cause } of event.runs) {
        metrics.runs.inc({ detector, status });
        if (cause) metrics.runCauses.inc({ cause });
      }
      return;
    }
    if (event.event === 'scan.ended') {
      const { profile, status, waited_seconds, seconds } = event;
      metrics.scans.inc({ profile, status });
      metrics.scanWaits.observe({ profile }, waited_seconds);
      metrics.scanDurations.observe({ profile }, seconds);
    }
    const { event: name, ...fields } = event;
    logger.info({ ...by, ...fields }, name);
  };
}
