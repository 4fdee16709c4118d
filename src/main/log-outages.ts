import type { FastifyBaseLogger } from 'fastify';
import type { OutageListener } from '../database/outages.ts';

/** Two lines for each outage of the database, however many requests and jobs fail in between. */
export function logOutages(logger: Pick<FastifyBaseLogger, 'error' | 'warn'>): OutageListener {
  return {
    began: reason => logger.error({ reason }, 'database.unavailable'),
    ended: ({ seconds, failedRequests }) =>
      logger.warn({ seconds, failed_requests: failedRequests }, 'database.available'),
  };
}
