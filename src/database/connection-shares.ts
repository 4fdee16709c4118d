import { type PermitLimits, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

/**
 * An organization gets at most half of the connections, and two at their limits leave some for others, so
 * that slow queries of one do not block the others.
 */
export const limitsOfShares = (connections: number): PermitLimits => ({
  atOnce: connections,
  perHolder: Math.ceil(connections / 2),
  reserved: Math.floor(connections / 4),
});

export function connectionShares(connections: number): Permits {
  return new Permits({
    ...limitsOfShares(connections),
    waitingPerHolder: Number.POSITIVE_INFINITY,
    longestWaitMs: 10_000,
    refusal: noConnection,
  });
}

function noConnection(): Refusal {
  return new Refusal('request_failed', {}, { cause: 'no database connection was free in time' });
}
