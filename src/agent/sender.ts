import { limits } from '../contract/limits.ts';
import { BackOff } from './back-off.ts';
import { type Clock, shiftTimes } from './clock.ts';
import { KeyUnusable } from './key-file.ts';
import {
  dashboardKeyHint,
  isOfNoSystem,
  isOfService,
  isRefusal,
  receiptOf,
  refusalsOf,
  refusedHint,
} from './service-answers.ts';
import type { IngestTarget, ServiceAnswer, ServiceConnection } from './service-connection.ts';
import { sleep } from './sleep.ts';
import type { Spool } from './spool.ts';
import type { SpooledEvent } from './spool-files.ts';
import { parsed } from './spool-lines.ts';

type Log = (event: string, fields: object) => void;

/** What is in the spool: an event, and the clock's offset when it was recorded. */
export interface Recorded {
  readonly event: object;
  /** Milliseconds; null if the service's time was unknown. */
  readonly offset: number | null;
  /** Names of fields with times of another machine's clock, which are not corrected. */
  readonly foreign?: readonly string[];
  /** When it was put into the spool, in milliseconds by this machine's clock. */
  readonly spooledAt: number;
}

export interface SenderParts {
  readonly spool: Pick<Spool, 'peek' | 'acknowledge' | 'setAside'>;
  readonly connection: Pick<ServiceConnection, 'post'>;
  readonly clock: Clock;
  readonly target: IngestTarget;
  readonly log: Log;
  /** Waits; replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Fewer than the service allows, so that a second probe that takes over a key has room. */
const requestsPerMinute = limits.keyRequestsPerMinute - 10;
const minute = 60_000;

/** Bytes of a batch: the service's limit, with room for what is around the events. */
const largestBatch = limits.bodyBytes - 1_024;

/** Bytes of an event that a proxy does not refuse because of its size. */
const smallEvent = 8 * 1024;

/** Deliveries in a row, after which larger batches are tried again. */
const deliveriesToGrow = 10;

/** How a batch ended. */
type Outcome = 'delivered' | 'set_aside' | 'smaller' | 'again' | 'failed' | 'refused';

/** Sends the events of a spool, in order, until it is stopped. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly #failing = new BackOff(1_000, 120_000);
  /** A 401 may be the rate limit, which counts every request: it needs longer pauses. */
  readonly #refused = new BackOff(10_000, 300_000);
  readonly #sentAt: number[] = [];
  /** Bytes of a batch: what is on the way to the service may permit fewer than the service. */
  #mostBytes = largestBatch;
  #deliveries = 0;
  /** A wrong clock explained a refusal since the last success: answers whose times change must not cause a request each. */
  #hasCorrected = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#wait = parts.wait ?? sleep;
  }

  /**
   * Sends until the spool is empty. Never rejects because of the service: it tries again.
   *
   * @returns whether the spool is empty; false if aborted before
   */
  async drain(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const events = await this.#parts.spool.peek({ events: limits.eventsPerBatch, bytes: this.#mostBytes });
      if (events.length === 0) return true;
      await this.#pace(signal);
      if (signal.aborted) break;
      switch (await this.#send(events, signal)) {
        case 'delivered':
          this.#succeeded();
          this.#deliveries += 1;
          if (this.#deliveries % deliveriesToGrow === 0)
            this.#mostBytes = Math.min(largestBatch, this.#mostBytes * 2);
          break;
        case 'set_aside':
          this.#succeeded();
          // The event was the reason for smaller batches.
          this.#mostBytes = largestBatch;
          break;
        case 'smaller':
          this.#mostBytes = Math.floor(bytesOf(events) / 2);
          this.#deliveries = 0;
          break;
        case 'again':
          break;
        case 'failed':
          await this.#wait(this.#failing.next(), signal);
          break;
        case 'refused':
          await this.#wait(this.#refused.next(), signal);
          break;
      }
    }
    return false;
  }

  #succeeded(): void {
    this.#failing.reset();
    this.#refused.reset();
    this.#hasCorrected = false;
  }

  /** Stays within the key's limit in any minute. */
  async #pace(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= now - minute) this.#sentAt.shift();
    if (this.#sentAt.length >= requestsPerMinute) await this.#wait(this.#sentAt[0]! + minute - now, signal);
    this.#sentAt.push(performance.now());
  }

  async #send(events: readonly SpooledEvent[], signal: AbortSignal): Promise<Outcome> {
    const { connection, target, log } = this.#parts;
    const texts = events.map(({ text }) => this.#textOf(text));
    let answer: ServiceAnswer;
    try {
      answer = await connection.post(target, batchOf(texts), signal);
    } catch (error) {
      const event = error instanceof KeyUnusable ? 'key.unusable' : 'service.unreachable';
      if (!signal.aborted) log(event, { message: reasonOf(error) });
      return 'failed';
    }
    return this.#outcomeOf(answer, events);
  }

  async #outcomeOf(
    { status, json, corrected }: ServiceAnswer,
    events: readonly SpooledEvent[],
  ): Promise<Outcome> {
    const { spool, log } = this.#parts;
    if (corrected !== 0) log('clock.corrected', { seconds: Math.round(corrected / 1000) });
    const receipt = receiptOf(json, events.length);
    if (status === 202 && receipt) {
      for (const { index, error } of receipt.rejected) await this.#setAside(events[index], error);
      await spool.acknowledge(events.at(-1)!);
      log('events.sent', { accepted: receipt.accepted, duplicates: receipt.duplicates });
      return 'delivered';
    }
    if (status === 401) {
      // Signed with a wrong time: the next attempt has the right one.
      if (Math.abs(corrected) > limits.clockWindowSeconds * 500 && !this.#hasCorrected) {
        this.#hasCorrected = true;
        return 'again';
      }
      log('service.refused', { status, hint: `the key was refused: ${refusedHint}` });
      return 'refused';
    }
    if (status === 400 && isOfNoSystem(json)) {
      log('service.refused', { status, hint: dashboardKeyHint });
      return 'refused';
    }
    if (status === 413 && events.length > 1) return 'smaller';
    // A proxy that refuses requests must not make the probe give up its events.
    const isTooLarge = isOfService(413, json) || Buffer.byteLength(events[0]!.text) > smallEvent;
    if (status === 413 ? isTooLarge : status === 400 && isRefusal(json))
      return this.#refuse(status, json, events);
    log('service.failed', { status });
    return status === 403 || status === 404 ? 'refused' : 'failed';
  }

  /** No event of the batch is valid, or one event is too large: set aside what the service names. */
  async #refuse(status: number, json: unknown, events: readonly SpooledEvent[]): Promise<Outcome> {
    const named = refusalsOf(json, events.length);
    if (events.length > 1 && events.some((_, index) => !named.has(index))) return 'smaller';
    const by = isOfService(status, json) ? 'the service' : 'a proxy on the way to the service';
    const why = `${by} answered ${status}${status === 413 ? ': the event is too large' : ''}`;
    for (const [index, event] of events.entries()) await this.#setAside(event, named.get(index) ?? why);
    await this.#parts.spool.acknowledge(events.at(-1)!);
    return 'set_aside';
  }

  async #setAside(event: SpooledEvent | undefined, reason: string): Promise<void> {
    if (!event) return;
    await this.#parts.spool.setAside(event, reason);
    this.#parts.log('event.set_aside', { reason });
  }

  /** An event that was recorded before the service's time was known gets its time now. */
  #textOf(text: string): string {
    const { event, offset, foreign } = Object(parsed(text)) as Partial<Recorded>;
    // A damaged line: the service refuses it, and it is set aside.
    if (typeof event !== 'object' || event === null) return 'null';
    const shift = offset === null ? (this.#parts.clock.offset ?? 0) : 0;
    return JSON.stringify(shift === 0 ? event : shiftTimes(event, shift, foreign));
  }
}

/** The body of a request with these events. */
export function batchOf(events: readonly string[]): string {
  return `{"events":[${events.join(',')}]}`;
}

/** Bytes as `peek` counts them. */
function bytesOf(events: readonly SpooledEvent[]): number {
  return events.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
