import type { Recorded } from './sender.ts';
import type { Spool } from './spool.ts';
import type { Dropped } from './spool-losses.ts';

interface Occurred {
  readonly occurred_at: string;
}

/** Puts events into the spool. @param offset of the clock when they were recorded; see `Recorded`, also for `foreign` */
export function spoolEvents(
  spool: Pick<Spool, 'append'>,
  events: readonly Occurred[],
  offset: Recorded['offset'],
  foreign: Recorded['foreign'] = [],
): Promise<void> {
  const more = { spooledAt: Date.now(), ...(foreign.length > 0 ? { foreign } : {}) };
  return spool.append(
    events.map(event => ({
      text: JSON.stringify({ event, offset, ...more } satisfies Recorded),
      occurredAt: event.occurred_at,
    })),
  );
}

/**
 * Reports events that the spool dropped, for each reason: under an id that stays the same until the report is in the spool.
 *
 * @param complete makes the event
 */
export async function reportDropped(
  spool: Spool,
  offset: Recorded['offset'],
  complete: (dropped: Omit<Dropped, 'id' | 'isSealed'>) => Occurred,
): Promise<void> {
  for (const { id, isSealed: _, ...dropped } of await spool.sealDropped()) {
    const event = { ...complete(dropped), id };
    await spoolEvents(spool, [event], offset);
    await spool.reported(id);
  }
}
