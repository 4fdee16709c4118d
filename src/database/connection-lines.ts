import { type PermitLimits, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

/** The queue in which a request waits. */
export interface Place {
  readonly line: string;
  /** The person who is signed in, if any. */
  readonly person?: string;
  /** The session, if a person's sessions are queued separately. */
  readonly session?: string;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

export interface LineLimits {
  /** Connections in use at a time. */
  readonly atOnce: number;
  /** Connections of one queue. */
  readonly ofOneLine: number;
  /** Connections that only a queue without any may use. */
  readonly reserved?: number;
}

interface LineOptions extends LineLimits {
  /** Connections of one person, so that one person cannot fill a queue. */
  readonly ofOnePerson: number;
  /** Longest wait in milliseconds. */
  readonly longestWaitMs: number;
}

/** Connections of one session, if a person's sessions are queued separately. */
const ofOneSession = 1;

/**
 * Queues for connections, so that many people of one organization cannot block work or sign-in of others. For accounts
 * there is a queue for each organization whose members change, and one for people with the same organizations; for the
 * data of an organization there is a queue of readers. A request waits in one queue of each kind and meanwhile keeps
 * nothing that other queues need. Throws `too_busy` after `longestWaitMs`, or if the queue is full.
 */
export class ConnectionLines {
  readonly #sessions: Permits;
  readonly #people: Permits;
  readonly #lines: Permits;
  readonly #longestWaitMs: number;

  constructor({ ofOnePerson, longestWaitMs, ...limits }: LineOptions) {
    this.#longestWaitMs = longestWaitMs;
    const options = { longestWaitMs, refusal: () => new Refusal('too_busy', { retry_after_seconds: 1 }) };
    const unbounded = Number.POSITIVE_INFINITY;
    const shares = (perHolder: number) =>
      new Permits({ ...options, atOnce: unbounded, waitingPerHolder: unbounded, perHolder });
    this.#sessions = shares(ofOneSession);
    this.#people = shares(ofOnePerson);
    this.#lines = new Permits({ ...options, ...permitted(limits), waitingPerHolder: 1_000 });
  }

  /** Changes finite limits. */
  limit(limits: LineLimits): void {
    this.#lines.limit(permitted(limits));
  }

  use<T>({ line, person, session, signal }: Place, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.#longestWaitMs;
    let run = () => this.#lines.use({ holder: line, until, signal }, work);
    for (const [permits, holder] of [
      [this.#people, person],
      [this.#sessions, session],
    ] as const) {
      if (holder === undefined) continue;
      const inside = run;
      run = () => permits.use({ holder: `${holder} ${line}`, until, signal }, inside);
    }
    return run();
  }
}

const permitted = ({ atOnce, ofOneLine, reserved = 0 }: LineLimits): PermitLimits => ({
  atOnce,
  perHolder: ofOneLine,
  reserved,
});
