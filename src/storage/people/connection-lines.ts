import { Permits } from '../../domain/permits.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Milliseconds that anybody waits for a connection. */
const longestWaitMs = 4_000;

/** Of one person in one line, so that nobody fills it. */
const ofOnePerson = 2;

interface LineOptions {
  /** Connections that may be taken at a time. */
  readonly atOnce: number;
  /** Of those, the most of one line. */
  readonly ofOneLine: number;
  /** Of all, those that only a line without any may take. */
  readonly reserved?: number;
}

/**
 * Where requests wait before they take a connection to people's accounts: those of many people of one organization must not
 * take the connections by which people of others work and sign in. There is a line for each organization whose people are
 * changed, and for people of the same organizations. A request stands in one line and holds nothing meanwhile that anybody in
 * another needs. Throws `too_busy` where the line is too long.
 */
export class ConnectionLines {
  readonly #places: Permits;
  readonly #lines: Permits;

  constructor({ atOnce, ofOneLine, reserved = 0 }: LineOptions) {
    const options = { longestWaitMs, refusal: () => new Refusal('too_busy', { retry_after_seconds: 1 }) };
    this.#places = new Permits({
      ...options,
      atOnce: Number.POSITIVE_INFINITY,
      perOrganization: ofOnePerson,
      waitingPerOrganization: Number.POSITIVE_INFINITY,
    });
    this.#lines = new Permits({
      ...options,
      atOnce,
      perOrganization: ofOneLine,
      reserved,
      waitingPerOrganization: 1_000,
    });
  }

  /** @param holder who waits, where it is somebody who is signed in */
  use<T>(line: string, holder: string | undefined, work: () => Promise<T>): Promise<T> {
    // To `Permits`, the line is an organization.
    const inLine = () => this.#lines.use({ organizationId: line }, work);
    return holder === undefined
      ? inLine()
      : this.#places.use({ organizationId: `${holder} ${line}` }, inLine);
  }
}
