import { randomBytes } from 'node:crypto';
import type { Assessment } from '../../evidence/assessment.ts';
import type { ExposurePath } from '../../evidence/exposure-paths.ts';
import type { ExposureProbe, HttpResponse, OriginExposure } from '../../evidence/website.ts';
import { BudgetSpent } from './budget.ts';
import { assess, NotCovered, reasonFor, SiteDeclines } from './failure.ts';
import type { HttpClient } from './http-client.ts';

/** Bytes of an answer that are received and kept. A signature may come after long comments. Nothing of it is stored. */
const readBytes = 64 * 1024;

const maxFailures = 3;

/**
 * Asks for paths without any credential: what counts is what everyone can read. Stops when the site keeps failing.
 */
export class ExposureProbing {
  readonly #client: HttpClient;
  readonly #origin: string;
  readonly #control: Assessment<HttpResponse>;
  readonly #probes: ExposureProbe[] = [];
  #stop: string | null = null;
  #failures = 0;

  private constructor(client: HttpClient, origin: string, control: Assessment<HttpResponse>) {
    this.#client = client;
    this.#origin = origin;
    this.#control = control;
  }

  /** Asks for a path that nobody made, for comparison. */
  static async begin(client: HttpClient, origin: string): Promise<ExposureProbing> {
    const control = await askControl(client, origin);
    client.reserveRequests(1);
    return new ExposureProbing(client, origin, control);
  }

  /**
   * Asks for what has not been asked for yet.
   *
   * @param depth of the scans that ask for these paths
   */
  async ask(paths: readonly ExposurePath[], depth: 'safe' | 'full'): Promise<void> {
    for (const { path, kind } of paths) {
      if (this.#probes.some(probe => probe.path === path)) continue;
      const response: Assessment<HttpResponse> =
        this.#stop === null ? await this.#fetch(path, depth) : { assessed: false, reason: this.#stop };
      this.#probes.push({ path, kind, response });
    }
  }

  async #fetch(path: string, depth: 'safe' | 'full'): Promise<Assessment<HttpResponse>> {
    try {
      const value = await get(this.#client, new URL(path, this.#origin), depth);
      this.#failures = 0;
      return readOf(value);
    } catch (error) {
      const isOurs = [BudgetSpent, NotCovered, SiteDeclines].some(kind => error instanceof kind);
      if (!isOurs) this.#failures += 1;
      if (this.#failures >= maxFailures) this.#stop = 'The site stopped answering.';
      return { assessed: false, reason: reasonFor(error) };
    }
  }

  /** Asks for another path that nobody made. What was not found on every path needs no comparison. */
  async end(): Promise<OriginExposure> {
    const [origin, control, probes] = [this.#origin, this.#control, this.#probes];
    const isNeeded = probes.some(({ response }) => response.assessed && !isNotFound(response.value));
    const reason = this.#stop ?? (isNeeded ? null : 'No answer has to be compared with it.');
    if (reason !== null) this.#client.reserveRequests(-1);
    const control_after: Assessment<HttpResponse> =
      reason === null ? await askControl(this.#client, origin, true) : { assessed: false, reason };
    return { origin, control, control_after, probes };
  }
}

async function askControl(
  client: HttpClient,
  origin: string,
  isReserved = false,
): Promise<Assessment<HttpResponse>> {
  const nobodys = new URL(`/${randomBytes(12).toString('hex')}`, origin);
  const control = await assess(get(client, nobodys, 'safe', isReserved));
  return control.assessed ? readOf(control.value) : control;
}

function isNotFound({ status }: HttpResponse): boolean {
  return status === 404 || status === 410;
}

/** An error says by its status that nothing is there; anything else takes its body to judge. */
function readOf(value: HttpResponse): Assessment<HttpResponse> {
  return value.body_unread === null || value.status >= 300
    ? { assessed: true, value }
    : { assessed: false, reason: value.body_unread };
}

function get(
  client: HttpClient,
  url: URL,
  depth: 'safe' | 'full',
  isReserved = false,
): Promise<HttpResponse> {
  const limits = { readLimit: readBytes, keepLimit: readBytes, encoding: 'latin1' } as const;
  return client.request(url, { depth, isReserved, ...limits });
}
