import { randomBytes } from 'node:crypto';
import type { Assessment } from '../../evidence/assessment.ts';
import type { ExposurePath } from '../../evidence/exposure-paths.ts';
import type { ExposureProbe, HttpResponse, OriginExposure } from '../../evidence/website.ts';
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
    const nobodys = new URL(`/${randomBytes(12).toString('hex')}`, origin);
    const control = await assess(get(client, nobodys, 'safe'));
    return new ExposureProbing(client, origin, control.assessed ? readOf(control.value) : control);
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
      if (!(error instanceof SiteDeclines || error instanceof NotCovered)) this.#failures += 1;
      if (this.#failures >= maxFailures) this.#stop = 'The site stopped answering.';
      return { assessed: false, reason: reasonFor(error) };
    }
  }

  get evidence(): OriginExposure {
    return { origin: this.#origin, control: this.#control, probes: this.#probes };
  }
}

/** An error says by its status that nothing is there; anything else takes its body to judge. */
function readOf(value: HttpResponse): Assessment<HttpResponse> {
  return value.body_unread === null || value.status >= 300
    ? { assessed: true, value }
    : { assessed: false, reason: value.body_unread };
}

function get(client: HttpClient, url: URL, depth: 'safe' | 'full'): Promise<HttpResponse> {
  return client.request(url, { depth, readLimit: readBytes, keepLimit: readBytes, encoding: 'latin1' });
}
