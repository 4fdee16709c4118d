import { hostNameOf } from '../domain/host-name.ts';
import { type Applicant, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

/** Safe inspections of one host that this process makes at once, for all organizations. */
const atOnce = 2;

/** With the longest inspection behind it, shorter than a job may take. */
const longestWaitMs = 60_000;

/** Keeps a server from being scanned for many sources or organizations at once. The organization with the fewest inspections of it is next. */
export class HostPermits {
  readonly #isAllowlisted: (host: string) => boolean;
  readonly #hosts = new Map<string, { readonly permits: Permits; users: number }>();

  /** @param isAllowlisted hosts that are not limited */
  constructor(isAllowlisted: (host: string) => boolean) {
    this.#isAllowlisted = isAllowlisted;
  }

  /** Does the work once the host has room. Throws where it has none for too long: the queue tries again. */
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
