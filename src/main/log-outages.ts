import type { FastifyBaseLogger } from 'fastify';
import type { OutageListener } from '../database/outages.ts';

/** Logs two lines for each database outage, instead of one for each failed request or job. */
export function logOutages(logger: Pick<FastifyBaseLogger, 'error' | 'warn'>): OutageListener {
  return {
    began: reason => logger.error({ reason }, 'database.unavailable'),
    ended: ({ seconds, failedRequests }) =>
      logger.warn({ seconds, failed_requests: failedRequests }, 'database.available'),
  };
}
