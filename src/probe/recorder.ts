import { randomBytes } from 'node:crypto';
import type { Clock } from '../agent/clock.ts';
import type { Spool } from '../agent/spool.ts';
import { reportDropped, spoolEvents } from '../agent/spool-events.ts';
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
    await spoolEvents(this.#spool, this.complete(contents), this.#clock.offset);
  }

  /** Reports events that the spool dropped. */
  reportDropped(): Promise<void> {
    return reportDropped(this.#spool, this.#clock.offset, dropped =>
      this.#completed({ kind: 'probe.dropped', ...dropped }),
    );
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
