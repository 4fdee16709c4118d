import { withTimeLimit } from '../connection/time-limit.ts';

/** The collection has used up its requests, bytes or time. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

export interface BudgetLimits {
  readonly requests: number;
  /** Body bytes received over all responses, before decoding. */
  readonly bytes: number;
  readonly totalMs: number;
  readonly requestMs: number;
}

/** Limits of one collection, which also bound the cost of slow or endless servers. */
export const defaultLimits: BudgetLimits = {
  requests: 60,
  bytes: 12 * 1024 * 1024,
  totalMs: 20_000,
  requestMs: 5_000,
};

/** Counts the requests and bytes of a collection, and stops it at its limits. */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #signal: AbortSignal;
  /** Aborts at the collection's time limit or when the caller aborts. No connection of the collection outlives it. */
  readonly lifetime: AbortSignal;
  #requests = 0;
  #reserved = 0;
  #bytes = 0;

  constructor(signal: AbortSignal, limits: BudgetLimits = defaultLimits) {
    this.limits = limits;
    this.#signal = signal;
    this.lifetime = withTimeLimit(signal, limits.totalMs);
  }

  get requests(): number {
    return this.#requests;
  }

  get bytesLeft(): number {
    return Math.max(0, this.limits.bytes - this.#bytes);
  }

  spendBytes(count: number): void {
    this.#bytes += count;
  }

  /** Reserves requests for later calls of `spendRequest` with `isReserved`; a negative count releases them. */
  reserveRequests(count: number): void {
    this.#reserved += count;
  }

  /** Counts one request. @throws BudgetSpent, or the signal's reason if the caller aborted */
  spendRequest(isReserved = false): void {
    this.check();
    if (isReserved) this.#reserved -= 1;
    if (this.#requests + this.#reserved >= this.limits.requests || this.bytesLeft === 0) {
      throw new BudgetSpent('The limit of requests or bytes for one collection was reached.');
    }
    this.#requests += 1;
  }

  /** @throws BudgetSpent if the time is up, or the signal's reason if the caller aborted */
  check(): void {
    this.#signal.throwIfAborted();
    if (this.lifetime.aborted) throw new BudgetSpent('The time for one collection was used up.');
  }

  /** Aborts at the request's or the collection's time limit, or when the caller aborts. */
  requestSignal(): AbortSignal {
    return withTimeLimit(this.lifetime, this.limits.requestMs);
  }
}
