import { randomBytes } from 'node:crypto';
import type { Clock } from '../agent/clock.ts';
import type { Recorded } from '../agent/sender.ts';
import type { Spool } from '../agent/spool.ts';
import { type ProbeEvent, probeSchema } from '../contract/probe-events.ts';

/** Who sends the events. */
export interface ProbeIdentity {
  readonly name: string;
  readonly version: string;
  readonly instance: string;
}

type WithoutEnvelope<E> = E extends ProbeEvent ? Omit<E, 'id' | 'occurred_at' | 'schema' | 'probe'> : never;
/** An event without what every event has. */
export type EventContent = WithoutEnvelope<ProbeEvent>;

interface Completed {
  readonly id: string;
  readonly occurred_at: string;
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

  /** Events as they are sent, in order. */
  complete(contents: readonly EventContent[]): Completed[] {
    return contents.map(content => this.#completed(content));
  }

  /** Durable when it returns. */
  async record(contents: readonly EventContent[]): Promise<void> {
    await this.#append(contents.map(content => this.#completed(content)));
  }

  /** Reports events that were dropped, under an id that stays the same until the report is in the spool. */
  async reportDropped(): Promise<void> {
    const dropped = this.#spool.dropped;
    if (!dropped) return;
    const { id, ...rest } = dropped;
    await this.#append([{ ...this.#completed({ kind: 'probe.dropped', ...rest }), id }]);
    await this.#spool.reported(dropped);
  }

  #completed(content: EventContent): Completed {
    const occurred_at = this.#clock.timestamp();
    const envelope = {
      id: timeOrderedId(this.#clock.now()),
      occurred_at,
      schema: probeSchema,
      probe: this.#identity,
    };
    return { ...envelope, ...content };
  }

  #append(events: readonly Completed[]): Promise<void> {
    const { offset } = this.#clock;
    return this.#spool.append(
      events.map(event => {
        const recorded: Recorded = { event, offset };
        return { text: JSON.stringify(recorded), occurredAt: event.occurred_at };
      }),
    );
  }
}

/** A UUIDv7 (RFC 9562, section 5.7): ids that grow with time keep the service's indexes compact. */
function timeOrderedId(milliseconds: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
