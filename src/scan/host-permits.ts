import { hostNameOf } from '../domain/host-name.ts';
import { type Applicant, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

/** Concurrent safe inspections of one host by this process, for all organizations together. */
const atOnce = 2;

/** Together with the longest inspection, which may run twice, shorter than a job may take. */
const longestWaitMs = 60_000;

/**
 * Limits concurrent scans of one server for different sources or organizations. The organization with the
 * fewest inspections of it is next.
 */
export class HostPermits {
  readonly #isAllowlisted: (host: string) => boolean;
  readonly #hosts = new Map<string, { readonly permits: Permits; users: number }>();

  /** @param isAllowlisted hosts without a limit */
  constructor(isAllowlisted: (host: string) => boolean) {
    this.#isAllowlisted = isAllowlisted;
  }

  /** Inspections that wait for their host. */
  get waiting(): number {
    return [...this.#hosts.values()].reduce((sum, { permits }) => sum + permits.waiting, 0);
  }

  /**
   * Does the work once the host has a free place. Throws after waiting too long, so that the queue tries
   * again.
   */
  async use<T>(host: string, applicant: Applicant, work: () => Promise<T>): Promise<T> {
    if (this.#isAllowlisted(host)) return work();
    const name = hostNameOf(host);
    const entry = this.#hosts.get(name) ?? { permits: newPermits(), users: 0 };
    this.#hosts.set(name, entry);
    entry.users += 1;
    try {
      return await entry.permits.use(applicant, work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#hosts.delete(name);
    }
  }
}

function newPermits(): Permits {
  return new Permits({
    atOnce,
    perHolder: atOnce,
    waitingPerHolder: Number.POSITIVE_INFINITY,
    longestWaitMs,
    refusal: () => new Refusal('request_failed', {}, { cause: 'the host was being scanned for too long' }),
  });
}
