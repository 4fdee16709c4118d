import type { ServerResponse } from 'node:http';
import { Refusal } from '../domain/refusal.ts';
import type { OpenSession } from '../storage/people/sessions.ts';

/** A page asks for about ten things at once. By session, not by person: a stolen session must not keep its owner from ending it. */
const ofOneSession = 50;
/** Of all connections that a node takes (`ConnectionCaps`), a quarter. */
const ofOneLine = 500;

/**
 * Requests that are being answered, of each session and of the people of the same organizations. Who waits for a share of the
 * database waits with an open connection: without these limits one member can have all that a node takes.
 */
export class InFlight {
  readonly #counts = new Map<string, number>();

  /** Throws `too_busy`. Until the response has ended, however it does, the request counts. */
  enter({ id, line }: Pick<OpenSession, 'id' | 'line'>, response: ServerResponse): void {
    const limits: readonly (readonly [string, number])[] = [
      [`session ${id}`, ofOneSession],
      [`line ${line}`, ofOneLine],
    ];
    if (limits.some(([key, most]) => this.#of(key) >= most)) {
      throw new Refusal('too_busy', { retry_after_seconds: 1 });
    }
    // The client may have disconnected while the session was looked up: `close` does not come again.
    if (response.destroyed) return;
    for (const [key] of limits) this.#counts.set(key, this.#of(key) + 1);
    response.once('close', () => {
      for (const [key] of limits) {
        const left = this.#of(key) - 1;
        if (left === 0) this.#counts.delete(key);
        else this.#counts.set(key, left);
      }
    });
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}
