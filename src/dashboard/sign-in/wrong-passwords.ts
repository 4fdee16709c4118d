import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Actor } from '../../database/audit.ts';
import type { PeopleStore } from '../../database/people-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';
import { auditAccount } from '../../resources/people/accounts.ts';
import { personActor } from '../person-actor.ts';
import { LaterEntries } from './later-entries.ts';

/** Where the password was wrong: at sign-in, or in a session. */
type Action = 'person.sign_in_failed' | 'person.password_failed';

/** Wrong passwords of one person with separate entries. */
const entriesEach = 20;

/** Time in milliseconds that one combined entry covers. The count resets after the same time without wrong passwords. */
const sharedMs = 600_000;

/** Wrong passwords of one person. */
interface Tally {
  /** True if there were none since the current ten minutes began. */
  isQuiet: boolean;
  written: number;
  /** Those without an entry yet: number, start, addresses, and the last one. */
  more: number;
  since: string;
  readonly from: Set<string>;
  last: Entry;
}

/** Maximum addresses in an entry. */
const addressesKept = 20;

/** Details of a combined entry. */
type Detail = {
  readonly attempts?: number;
  readonly since?: string;
  readonly addresses?: readonly string[];
};

interface Entry {
  readonly action: Action;
  readonly actor: Actor;
  readonly people: PeopleStore;
  readonly log: FastifyBaseLogger;
}

/**
 * Audit entries for wrong passwords, written with a delay after the response, and at once on shutdown. Every route that
 * compares a password adds its failures here, after the attempt was counted. Entries are permanent and can be caused by
 * anyone, so after the first ones, those of ten minutes share one entry with their number.
 */
export class WrongPasswords {
  readonly #entries = new LaterEntries();
  readonly #tallies = new Map<string, Tally>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(app: App) {
    app.addHook('onClose', async () => {
      for (const timer of this.#timers) clearInterval(timer);
      for (const tally of this.#tallies.values()) this.#writeMore(tally);
      await this.#entries.close();
    });
  }

  add(request: FastifyRequest, personId: string, action: Action): void {
    const { people, log } = request;
    const last = { action, actor: personActor(request, personId), people, log };
    const tally = this.#tallies.get(personId) ?? this.#begin(personId, last);
    tally.isQuiet = false;
    if (tally.written < entriesEach) {
      tally.written += 1;
      this.#write(last, {});
    } else {
      if (tally.more === 0) tally.since = new Date().toISOString();
      tally.more += 1;
      if (tally.from.size < addressesKept) tally.from.add(request.ip);
      tally.last = last;
    }
  }

  #begin(personId: string, last: Entry): Tally {
    const tally = { isQuiet: false, written: 0, more: 0, since: '', from: new Set<string>(), last };
    this.#tallies.set(personId, tally);
    this.#count(personId, tally);
    return tally;
  }

  #count(personId: string, tally: Tally): void {
    const timer = setInterval(() => {
      this.#writeMore(tally);
      if (tally.isQuiet) {
        clearInterval(timer);
        this.#timers.delete(timer);
        this.#tallies.delete(personId);
      }
      tally.isQuiet = true;
    }, sharedMs).unref();
    this.#timers.add(timer);
  }

  #writeMore(tally: Tally): void {
    const { more: attempts, since, from } = tally;
    tally.more = 0;
    if (attempts > 0) this.#write(tally.last, { attempts, since, addresses: [...from] });
    from.clear();
  }

  #write(entry: Entry, detail: Detail): void {
    this.#entries.add(last => record(entry, detail, last));
  }
}

/** False if other writes are queued, and this one must be retried. Failures are logged. */
async function record(
  { action, actor, people, log }: Entry,
  detail: Detail,
  last: boolean,
): Promise<boolean> {
  try {
    await people.transaction(transaction => auditAccount(transaction, actor, actor.id, { action, detail }), {
      personId: actor.id,
    });
    return true;
  } catch (error) {
    if (!last && error instanceof Refusal && error.code === 'too_busy') return false;
    log.error({ err: error }, 'audit.entry_lost');
    return true;
  }
}
