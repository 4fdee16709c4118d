import { type Clock, shiftTimes } from '../agent/clock.ts';
import { timeOrderedId } from '../agent/time-ordered-id.ts';
import {
  type ShieldEvent,
  type ShieldRequests,
  shieldBounds,
  shieldSchema,
} from '../contract/shield-events.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { RequestWindow } from './aggregate.ts';
import type { ForwarderIdentity } from './sink.ts';

/** Bytes of the groups of one event, so that several fit into the body of a request. */
const maxEventBytes = 60_000;

/** The envelope of an event. */
export function envelopeOf(forwarder: ForwarderIdentity, occurredAt: string) {
  return { id: timeOrderedId(Date.now()), occurred_at: occurredAt, schema: shieldSchema, forwarder };
}

/** By this machine's clock, as are the times of logs: `correctTimes` corrects them together. */
export const now = () => timestampOf(new Date());

/** When this process started, also if the clock was wrong then. */
export const processStartedAt = () => timestampOf(new Date(Date.now() - process.uptime() * 1000));

/**
 * Events with times of the service's clock; as they are while it is unknown.
 *
 * @param foreign fields with times of another machine's clock
 */
export function correctTimes(
  events: readonly ShieldEvent[],
  { offset }: Pick<Clock, 'offset'>,
  foreign: readonly string[] = [],
): readonly ShieldEvent[] {
  return offset ? events.map(event => shiftTimes(event, offset, foreign)) : events;
}

/** Events of a minute: more than one if its groups are too large. */
export function requestEvents(window: RequestWindow, forwarder: ForwarderIdentity): ShieldEvent[] {
  const { from, to, groups, others } = window;
  const event = (part: Pick<ShieldRequests, 'groups' | 'others'>): ShieldRequests => ({
    ...envelopeOf(forwarder, from),
    kind: 'shield.requests',
    from,
    to,
    ...part,
  });
  return [
    ...inParts(groups, shieldBounds.groups).map(part => event({ groups: part, others: [] })),
    ...inParts(others, shieldBounds.others).map(part => event({ groups: [], others: part })),
  ];
}

/** Divides items so that each part is small enough for one event. */
export function inParts<T>(items: readonly T[], maxItems: number): T[][] {
  const parts: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    const part = parts.at(-1);
    if (part === undefined || part.length >= maxItems || bytes + size > maxEventBytes) {
      parts.push([item]);
      bytes = size;
    } else {
      part.push(item);
      bytes += size;
    }
  }
  return parts;
}
