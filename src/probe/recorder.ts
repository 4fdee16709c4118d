import type { Clock } from '../agent/clock.ts';
import type { Spool } from '../agent/spool.ts';
import { reportDropped, spoolEvents } from '../agent/spool-events.ts';
import { timeOrderedId } from '../agent/time-ordered-id.ts';
import { type ProbeEvent, probeSchema } from '../contract/probe-events.ts';

/** Who sends the events. */
export interface ProbeIdentity {
  readonly name: string;
  readonly version: string;
  readonly instance: string;
}

type WithoutEnvelope<E> = E extends ProbeEvent ? Omit<E, 'id' | 'occurred_at' | 'schema' | 'probe'> : never;
/** An event without what every event has. Its id, if the same event may be made again. */
export type EventContent = WithoutEnvelope<ProbeEvent> & { readonly id?: string };

interface Completed {
  readonly id: string;
  readonly occurred_at: string;
}

/** An event as it is sent. */
export function completeEvent(content: EventContent, probe: ProbeIdentity, clock: Clock): Completed {
  const occurred_at = clock.timestamp();
  const envelope = { id: timeOrderedId(clock.now()), occurred_at, schema: probeSchema, probe };
  return { ...envelope, ...content };
}

/** Completes events and puts them into the spool. */
export class Recorder {
  readonly #identity: ProbeIdentity;
  readonly #clock: Clock;
  readonly #spool: Spool;

  constructor(identity: ProbeIdentity, clock: Clock, spool: Spool) {
    this.#identity = identity;
    this.#clock = clock;
    this.#spool = spool;
  }

  /** Durable when it returns. */
  async record(contents: readonly EventContent[]): Promise<void> {
    const events = contents.map(content => completeEvent(content, this.#identity, this.#clock));
    await spoolEvents(this.#spool, events, this.#clock.offset);
  }

  /** Reports events that the spool dropped. */
  reportDropped(): Promise<void> {
    return reportDropped(this.#spool, this.#clock.offset, dropped =>
      completeEvent({ kind: 'probe.dropped', ...dropped }, this.#identity, this.#clock),
    );
  }
}
