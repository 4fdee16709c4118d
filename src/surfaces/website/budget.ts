import { withTimeLimit } from '../connection/time-limit.ts';

/** The collection has used up what it may ask of a site. */
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

/** What one collection may ask of a site. A server that is slow or endless costs at most this. */
export const defaultLimits: BudgetLimits = {
  requests: 60,
  bytes: 12 * 1024 * 1024,
  totalMs: 20_000,
  requestMs: 5_000,
};

/** Counts what a collection has asked for, and says when it must stop. */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #signal: AbortSignal;
  /** Ends with the collection's time or the caller's wish. No connection of the collection outlives it. */
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

  /** Keeps requests for later, each of which `spendRequest` then takes as a reserved one; fewer with a negative count. */
  reserveRequests(count: number): void {
    this.#reserved += count;
  }

  /** Takes one request. @throws BudgetSpent, or the caller's reason when the caller has aborted. */
  spendRequest(isReserved = false): void {
    this.check();
    if (isReserved) this.#reserved -= 1;
    if (this.#requests + this.#reserved >= this.limits.requests || this.bytesLeft === 0) {
      throw new BudgetSpent('The limit of requests or bytes for one collection was reached.');
    }
    this.#requests += 1;
  }

  /** @throws BudgetSpent when the time is up, or the caller's reason when the caller has aborted. */
  check(): void {
    this.#signal.throwIfAborted();
    if (this.lifetime.aborted) throw new BudgetSpent('The time for one collection was used up.');
  }

  /** Ends with the request's own time, the collection's, or the caller's wish, whichever is first. */
  requestSignal(): AbortSignal {
    return withTimeLimit(this.lifetime, this.limits.requestMs);
  }
}
