import type { ServerResponse } from 'node:http';
import { Refusal } from '../domain/refusal.ts';
import type { OpenSession } from '../resources/people/sessions.ts';

/** A page asks for about ten things at once. */
const ofOneSession = 50;
/** Across sessions, of which a person can open many: a fifth of what colleagues share. */
const ofOnePerson = 100;
/**
 * In the organizations of the same people, and as many over the accounts of these: a quarter each of all connections that a node takes
 * (`ConnectionCaps`).
 */
const ofOneLine = 500;
/** Requests over one's own account that no colleague can take. */
const always = 3;

/**
 * What a request counts for. `session`: it needs no complete sign-in, or the session has none: a password without its second factor
 * must not take what an organization needs, nor keep its owner from signing in. `person`: a person's own account, which they
 * can secure whatever their colleagues do in the organization. `organization`: all others.
 */
type Scope = 'session' | 'person' | 'organization';

/** A request that counts: by `keys`, while there are reasons, its open response and what is done for it. */
interface Entry {
  readonly keys: readonly string[];
  reasons: number;
}

/**
 * Requests that are being answered: of each session, each person and the people of the same organizations. Requests that wait for
 * a share of the database wait with an open connection: without these limits one member can have all that a node takes.
 */
export class InFlight {
  readonly #counts = new Map<string, number>();
  readonly #entered = new WeakMap<ServerResponse, Entry>();

  /** Throws `too_busy`. The request counts until its response has ended, however it does, and what is done for it as well. */
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

  /** Answers a request. Where its client is gone already, for which nobody waits, throws instead. */
  async answer<T>(response: ServerResponse, work: () => T): Promise<Awaited<T>> {
    const entry = this.#entered.get(response);
    // What counts for nothing, such as signing out, is done all the same.
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
