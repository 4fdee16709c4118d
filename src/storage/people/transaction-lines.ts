import { Permits } from '../../domain/permits.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Milliseconds that a transaction waits for others, before it has a connection. */
const longestWaitMs = 4_000;

interface LineOptions {
  /** Transactions that may have a connection at a time: fewer than there are, so that single statements always find one. */
  readonly atOnce: number;
  /** Of those, the most that write to the audit log of one organization. */
  readonly perOrganization: number;
}

/**
 * Where transactions over people's accounts wait before they take a connection. Each writes to the audit logs of
 * organizations, and one who works in an organization can have its log held for seconds: those who wait for it must not take
 * the connections by which people of other organizations sign in. Throws `too_busy` where the line is too long.
 */
export class TransactionLines {
  readonly #ofOrganizations: Permits;
  readonly #together: Permits;

  constructor({ atOnce, perOrganization }: LineOptions) {
    const options = {
      waitingPerOrganization: 100,
      longestWaitMs,
      refusal: () => new Refusal('too_busy', { retry_after_seconds: 1 }),
    };
    this.#ofOrganizations = new Permits({ ...options, atOnce: Number.POSITIVE_INFINITY, perOrganization });
    this.#together = new Permits({ ...options, atOnce, perOrganization: atOnce });
  }

  /** @param organizationIds to whose audit logs it may write, in one order */
  use<T>(organizationIds: readonly string[], work: () => Promise<T>): Promise<T> {
    // Who writes nowhere waits for nobody.
    if (organizationIds.length === 0) return work();
    const together = () => this.#together.use({ organizationId: organizationIds.join() }, work);
    return organizationIds.reduceRight<() => Promise<T>>(
      (next, organizationId) => () => this.#ofOrganizations.use({ organizationId }, next),
      together,
    )();
  }
}
