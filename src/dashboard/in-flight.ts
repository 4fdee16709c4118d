import type { ServerResponse } from 'node:http';
import { Refusal } from '../domain/refusal.ts';
import type { OpenSession } from '../resources/people/sessions.ts';

/** A page sends about 10 concurrent requests. */
const ofOneSession = 50;
/** Across the sessions of a person, who can open many: a fifth of the limit that colleagues share. */
const ofOnePerson = 100;
/**
 * For the organizations of the same people, and again for their accounts: each a quarter of all connections that a node
 * accepts (`ConnectionCaps`).
 */
const ofOneLine = 500;
/** Account requests that colleagues cannot use up. */
const always = 3;

/**
 * What a request counts toward. `session`: needs no complete sign-in, or the session has none. A password without its second
 * factor must not use up the capacity of an organization, nor block sign-in of the account owner. `person`: concerns their
 * own account, which they can secure regardless of the load of the organization. `organization`: all others.
 */
type Scope = 'session' | 'person' | 'organization';

/** A counted request. It counts toward `keys` until its response is closed and its work is done. */
interface Entry {
  readonly keys: readonly string[];
  reasons: number;
}

/**
 * Limits concurrent requests per session, per person and per group of organizations with the same people. Requests that wait
 * for a share of the database keep their connection open, so without limits one member could use all connections of a node.
 */
export class InFlight {
  readonly #counts = new Map<string, number>();
  readonly #entered = new WeakMap<ServerResponse, Entry>();

  /** Throws `too_busy`. The request counts until its response is closed and its work is done. */
  enter(
    { id, personId, line }: Pick<OpenSession, 'id' | 'personId' | 'line'>,
    scope: Scope,
    response: ServerResponse,
  ): void {
    const limits: (readonly [string, number])[] = [[`session ${id}`, ofOneSession]];
    if (scope !== 'session') {
      const own = `of ${personId}`;
      limits.push([own, ofOnePerson]);
      if (scope === 'organization' || this.#of(own) >= always)
        limits.push([`${scope}s of ${line}`, ofOneLine]);
    }
    if (response.destroyed || limits.some(([key, most]) => this.#of(key) >= most)) throw tooBusy();
    const entry = { keys: limits.map(([key]) => key), reasons: 1 };
    for (const key of entry.keys) this.#counts.set(key, this.#of(key) + 1);
    this.#entered.set(response, entry);
    response.once('close', () => this.#leave(entry));
  }

  /** Runs the handler of a request. Throws if its client has disconnected. */
  async answer<T>(response: ServerResponse, work: () => T): Promise<Awaited<T>> {
    const entry = this.#entered.get(response);
    // Uncounted requests, such as signing out, run even after the client disconnected.
    if (!entry) return await work();
    if (response.destroyed) throw tooBusy();
    entry.reasons += 1;
    try {
      return await work();
    } finally {
      this.#leave(entry);
    }
  }

  #leave(entry: Entry): void {
    entry.reasons -= 1;
    if (entry.reasons > 0) return;
    for (const key of entry.keys) {
      const left = this.#of(key) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    }
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

function tooBusy(): Refusal {
  return new Refusal('too_busy', { retry_after_seconds: 1 });
}
