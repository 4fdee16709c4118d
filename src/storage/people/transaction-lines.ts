import { Permits } from '../../domain/permits.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Milliseconds that a transaction waits for others, before it has a connection. */
const longestWaitMs = 4_000;

/** Transactions of one person that stand in one line, so that nobody fills it. */
const ofOnePerson = 2;

interface LineOptions {
  /** Transactions that may have a connection at a time: fewer than there are, so that single statements always find one. */
  readonly atOnce: number;
  /** Of those, the most of one line. */
  readonly ofOneLine: number;
}

/**
 * Where transactions over people's accounts wait before they take a connection: those of many people of one organization must
 * not take the connections by which people of others work and sign in. There is a line for each organization whose people are
 * changed, and for people of the same organizations, whose accounts are. A transaction stands in one line and holds nothing
 * meanwhile that anybody in another needs. Throws `too_busy` where the line is too long.
 */
export class TransactionLines {
  readonly #places: Permits;
  readonly #lines: Permits;

  constructor({ atOnce, ofOneLine }: LineOptions) {
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
      waitingPerOrganization: 100,
    });
  }

  /**
   * @param organizationIds whose line it is, in one order
   * @param holder who waits, where it is somebody who is signed in
   */
  use<T>(organizationIds: readonly string[], holder: string | undefined, work: () => Promise<T>): Promise<T> {
    // `Permits` calls whoever has a permit an organization.
    const line = organizationIds.join();
    const inLine = () => this.#lines.use({ organizationId: line }, work);
    return holder === undefined
      ? inLine()
      : this.#places.use({ organizationId: `${holder} ${line}` }, inLine);
  }
}
