import type { FastifyRequest } from 'fastify';
import type { DashboardServices } from './services.ts';

/** Where people find the dashboard: as the operator says, else as the browser that asks does. */
export function dashboardAddress(
  { publicUrl, publicPrefix }: Pick<DashboardServices, 'publicUrl' | 'publicPrefix'>,
  request: FastifyRequest,
): string {
  const base = publicUrl ?? `${request.protocol}://${request.host}${publicPrefix}`;
  return `${base}/dashboard`;
}
