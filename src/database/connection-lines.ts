import { Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

/** Where a request waits. */
export interface Place {
  readonly line: string;
  /** The person signed in, where somebody is. */
  readonly person?: string;
  /** The session, where those of a person wait beside each other. */
  readonly session?: string;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

interface LineOptions {
  /** Connections that may be taken at a time. */
  readonly atOnce: number;
  /** Of those, the most of one line. */
  readonly ofOneLine: number;
  /** Of those, the most of one person, so that nobody fills a line. */
  readonly ofOnePerson: number;
  /** Of all, those that only a line without any may take. */
  readonly reserved?: number;
  /** Milliseconds that anybody waits. */
  readonly longestWaitMs: number;
}

/** Of one session, where those of a person wait beside each other. */
const ofOneSession = 1;

/**
 * Where requests wait before they take a connection: those of many people of one organization must not take what people of others work
 * and sign in by. Over people's accounts there is a line for each organization whose people are changed, and for people of the same
 * organizations; over an organization's rows, one for its readers. A request stands in one line of a kind and holds nothing meanwhile that
 * anybody in another needs. Throws `too_busy` after `longestWaitMs`, or where the line is too long.
 */
export class ConnectionLines {
  readonly #sessions: Permits;
  readonly #people: Permits;
  readonly #lines: Permits;
  readonly #longestWaitMs: number;

  constructor({ atOnce, ofOneLine, ofOnePerson, reserved = 0, longestWaitMs }: LineOptions) {
    this.#longestWaitMs = longestWaitMs;
    const options = { longestWaitMs, refusal: () => new Refusal('too_busy', { retry_after_seconds: 1 }) };
    const shares = (perHolder: number) => {
      const unbounded = {
        atOnce: Number.POSITIVE_INFINITY,
        waitingPerHolder: Number.POSITIVE_INFINITY,
      };
      return new Permits({ ...options, ...unbounded, perHolder });
    };
    this.#sessions = shares(ofOneSession);
    this.#people = shares(ofOnePerson);
    this.#lines = new Permits({
      ...options,
      atOnce,
      perHolder: ofOneLine,
      reserved,
      waitingPerHolder: 1_000,
    });
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
