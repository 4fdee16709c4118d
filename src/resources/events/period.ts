import type { EventFilters } from '../../contract/dashboard/events.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

/** The longest period that is counted, and the default one. */
const longest = 366 * day;
const usual = 7 * day;

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The filters' period, or the default one. Throws `invalid_query` for an invalid period. */
export function periodOf(filters: EventFilters): Period {
  const to = filters.to === undefined ? new Date() : new Date(filters.to);
  const from = filters.from === undefined ? new Date(to.getTime() - usual) : new Date(filters.from);
  const length = to.getTime() - from.getTime();
  if (!(from.getTime() >= 0 && length > 0 && length <= longest)) {
    const message = 'must be a time from 1970 on, before `to`, and at most 366 days before it';
    throw new Refusal('invalid_query', { fields: [{ path: 'from', message }] });
  }
  return { from, to };
}

/** Seconds for a query: the number of events is limited only by the rate of requests. */
const longestSeconds = 5;
const queryCanceled = '57014';

/** Reads within a few seconds. Throws `invalid_query` if that is not enough. */
export function withinSeconds<T>(
  store: TenantStore,
  read: (session: TenantSession) => Promise<T>,
): Promise<T> {
  return store.read(async session => {
    await session.query({ text: `set local statement_timeout = '${longestSeconds}s'` });
    return read(session).catch(error => {
      if (error.code !== queryCanceled) throw error;
      const message = 'must cover a shorter period: there are too many events to read in time';
      throw new Refusal('invalid_query', { fields: [{ path: 'from', message }] }, { cause: error });
    });
  });
}
