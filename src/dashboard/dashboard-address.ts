import type { FastifyRequest } from 'fastify';
import type { DashboardServices } from './services.ts';

/** Address of the dashboard: from the public URL, otherwise from the request. */
export function dashboardAddress(
  { publicUrl, publicPrefix }: Pick<DashboardServices, 'publicUrl' | 'publicPrefix'>,
  request: FastifyRequest,
): string {
  const base = publicUrl ?? `${request.protocol}://${request.host}${publicPrefix}`;
  return `${base}/dashboard`;
}
