import type pg from 'pg';
import type { EventChannel } from '../../contract/events.ts';
import { isLockTimeout } from '../../database/error-codes.ts';
import { sessionOn, type TenantSession } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

export interface EventRow {
  readonly id: string;
  readonly kind: string;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /** The event as sent, as JSON in one line. */
  readonly payload: string;
  /** It changes posture, so a worker processes it. */
  readonly isPosture: boolean;
}

/** The events of one request, without an id twice. */
export interface SentEvents {
  /** Of the authenticated key: nothing else restricts where the events are stored. */
  readonly organizationId: string;
  readonly systemId: string;
  readonly channel: EventChannel;
  readonly keyId: string;
  readonly events: readonly EventRow[];
}

interface Waiting extends SentEvents {
  readonly since: number;
  resolve(stored: number | undefined): void;
  reject(error: unknown): void;
}

/** The answer to a request whose organization has no such system. */
const unknownSystem = -1;

/** Limits of a batch. A request that exceeds them is stored alone. */
const most = { events: 5_000, characters: 4_000_000 };

/**
 * WRITES ACROSS ORGANIZATIONS. Stores the events of all requests of a node. One call to the database runs at a time;
 * requests that arrive meanwhile go into the next. Events are durable when it answers, and their number is exact on any
 * number of nodes: see `store_events` in the migrations.
 */
export class EventStore {
  readonly #session: TenantSession;
  readonly #longestWaitMs: number;
  #waiting: Waiting[] = [];
  #busy = false;

  /**
   * @param pool one connection, used for nothing else
   *
   * @param longestWaitMs after which a waiting request fails: its client has given up by then
   */
  constructor(pool: pg.Pool, longestWaitMs = 10_000) {
    this.#session = sessionOn(pool);
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Returns the number of new events: the others are duplicates by id. Undefined if the organization has no such system.
   * A client that disconnects changes nothing.
   */
  store(sent: SentEvents): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...sent, since: performance.now(), resolve, reject });
      if (!this.#busy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch().filter(sent => !this.#isLate(sent));
      if (batch.length > 0) await this.#answer(batch);
    }
    this.#busy = false;
  }

  #nextBatch(): Waiting[] {
    let [count, events, characters] = [0, 0, 0];
    for (const sent of this.#waiting) {
      events += sent.events.length;
      for (const { payload } of sent.events) characters += payload.length;
      if (count > 0 && (events > most.events || characters > most.characters)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #isLate({ since, reject }: Waiting): boolean {
    const late = performance.now() - since > this.#longestWaitMs;
    if (late) reject(notStored());
    return late;
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await this.#store(batch);
      batch.forEach((sent, index) => {
        const count = stored[index]!;
        sent.resolve(count === unknownSystem ? undefined : count);
      });
    } catch (error) {
      // Events that the database cannot store must not fail those of others.
      if (batch.length > 1 && isOfValues(error)) {
        for (const sent of batch) await this.#answer([sent]);
      } else {
        // Those of another node may not be able to commit, for example while the synchronous standby is replaced.
        const reason = isLockTimeout(error) ? notStored() : error;
        for (const sent of batch) sent.reject(reason);
      }
    }
  }

  async #store(batch: readonly SentEvents[]): Promise<number[]> {
    const lines = linesOf(batch);
    const rows = await this.#session.query<{ stored: number[] }>({
      name: 'store-events',
      text: "select coalesce(store_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10), '{}') as stored",
      values: [
        batch.map(sent => sent.organizationId),
        batch.map(sent => sent.systemId),
        batch.map(sent => sent.channel),
        batch.map(sent => sent.keyId),
        lines.requests.join('\n'),
        lines.ids.join('\n'),
        lines.kinds.join('\n'),
        lines.times.join('\n'),
        lines.payloads.join('\n'),
        lines.postures.join('\n'),
      ],
    });
    const { stored } = rows[0]!;
    // Results are matched by position alone: with one missing, none can be trusted.
    if (stored.length !== batch.length) throw new Error('not every request was answered');
    return stored;
  }
}

function notStored(): Refusal {
  return new Refusal('request_failed', {}, { cause: 'the events were not stored in time' });
}

/** The events of a batch by column. An id that two requests of a stream have is a duplicate in the second one. */
function linesOf(batch: readonly SentEvents[]) {
  const requests: number[] = [];
  const [ids, kinds, times, payloads, postures]: string[][] = [[], [], [], [], []] as never;
  const streams = new Map<string, Set<string>>();
  batch.forEach(({ organizationId, systemId, channel, events }, index) => {
    const stream = `${organizationId} ${systemId} ${channel}`;
    const known = streams.get(stream) ?? new Set();
    streams.set(stream, known);
    for (const event of events) {
      if (known.has(event.id)) continue;
      known.add(event.id);
      requests.push(index + 1);
      ids!.push(event.id);
      kinds!.push(event.kind);
      times!.push(event.occurredAt);
      payloads!.push(event.payload);
      postures!.push(event.isPosture ? 't' : 'f');
    }
  });
  return { requests, ids: ids!, kinds: kinds!, times: times!, payloads: payloads!, postures: postures! };
}

/** Whether a value caused the error: a data exception, or the violation of a constraint. */
function isOfValues(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}
