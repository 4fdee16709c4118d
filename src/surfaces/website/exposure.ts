import { randomBytes } from 'node:crypto';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { ExposurePath } from '../../captures/listed-paths.ts';
import { isGone, isRefusal } from '../../captures/statuses.ts';
import { urlAt } from '../../captures/url-at.ts';
import type { ExposureProbe, HttpResponse, OriginExposure } from '../../captures/website.ts';
import { BudgetSpent } from './budget.ts';
import { assess, NotCovered, reasonFor, SiteDeclines } from './failure.ts';
import { askedQuestion, mayBeGraphql, postedQuestion } from './graphql.ts';
import type { HttpClient, RequestOptions } from './http-client.ts';

/** Bytes of a response that are received and kept. A signature may follow long comments. None of it is stored. */
const readBytes = 64 * 1024;

const maxFailures = 3;

/** Control requests between the first and the last. */
const mostControls = 2;

/** Redirects to folders that are followed. */
const mostFolders = 4;

const isRedirect = (status: number) => status >= 300 && status < 400;

/** Requests paths without a credential, since only public access counts. Stops if the site keeps failing. */
export class ExposureProbing {
  readonly #client: HttpClient;
  readonly #origin: string;
  readonly #control: Assessment<HttpResponse>;
  readonly #probes: ExposureProbe[] = [];
  #stop: string | null = null;
  #failures = 0;
  #wasRefused = false;
  #controlsLeft = mostControls;
  #foldersLeft = mostFolders;
  /** A control response in between that differed from the first. */
  #change: Assessment<HttpResponse> | null = null;

  private constructor(client: HttpClient, origin: string, control: Assessment<HttpResponse>) {
    this.#client = client;
    this.#origin = origin;
    this.#control = control;
  }

  /** Requests a random path, for comparison. */
  static async begin(client: HttpClient, origin: string): Promise<ExposureProbing> {
    const control = await askControl(client, origin);
    client.reserveRequests(1);
    return new ExposureProbing(client, origin, control);
  }

  /** The response for a path that does not exist, if it was read. */
  get controls(): readonly HttpResponse[] {
    return this.#control.assessed ? [this.#control.value] : [];
  }

  /**
   * Requests the paths that were not requested before.
   *
   * @param depth of the scans that request these paths
   */
  async ask(paths: readonly ExposurePath[], depth: 'safe' | 'full'): Promise<void> {
    for (const { path, kind } of paths) {
      if (this.#probes.some(probe => probe.path === path)) continue;
      const response: Assessment<HttpResponse> =
        this.#stop === null
          ? await this.#fetch(path, depth, kind === 'graphql' ? askedQuestion : {})
          : notAssessed(this.#stop);
      this.#probes.push({ path, kind, response });
      await this.#watchRefusal(response);
    }
  }

  /**
   * Asks GraphQL endpoints for the name of their schema's query type by POST, which many require: those that answered GET like an
   * endpoint, and these paths.
   */
  async askGraphqlByPost(named: readonly string[]): Promise<void> {
    const answering = this.#probes.filter(
      ({ kind, response }) => kind === 'graphql' && response.assessed && mayBeGraphql(response.value),
    );
    const paths = [...answering.map(({ path }) => path.split('?', 1)[0]!), ...named];
    for (const path of new Set(paths)) {
      const response =
        this.#stop === null ? await this.#fetch(path, 'full', postedQuestion) : notAssessed(this.#stop);
      this.#probes.push({ path, kind: 'graphql', response, posted: true });
    }
  }

  /**
   * A refusal may be the beginning of a block that ends before the last control, so another control is requested at
   * once.
   */
  async #watchRefusal(response: Assessment<HttpResponse>): Promise<void> {
    const isRefused = response.assessed && isRefusal(response.value.status);
    const isFirst = isRefused && !this.#wasRefused;
    this.#wasRefused = isRefused;
    if (!isFirst || this.#controlsLeft === 0 || this.#change !== null || !this.#control.assessed) return;
    this.#controlsLeft -= 1;
    const control = await askControl(this.#client, this.#origin);
    if (!control.assessed || control.value.status !== this.#control.value.status) this.#change = control;
  }

  async #fetch(
    path: string,
    depth: 'safe' | 'full',
    question: Partial<RequestOptions> = {},
  ): Promise<Assessment<HttpResponse>> {
    try {
      const url = urlAt(this.#origin, path);
      const first = await get(this.#client, url, { depth, ...question });
      const folder = this.#foldersLeft > 0 ? this.#folderOf(first, url) : null;
      if (folder !== null) this.#foldersLeft -= 1;
      const value = folder === null ? first : await get(this.#client, folder, { depth });
      this.#failures = 0;
      return readOf(value);
    } catch (error) {
      const isOurs = [BudgetSpent, NotCovered, SiteDeclines].some(kind => error instanceof kind);
      if (!isOurs) this.#failures += 1;
      if (this.#failures >= maxFailures) this.#stop = 'The site stopped answering.';
      return notAssessed(reasonFor(error));
    }
  }

  /** Where a server leads from a path to the same with a slash, as it does for folders that exist. */
  #folderOf({ status, headers }: HttpResponse, url: URL): URL | null {
    const isUsual = !this.#control.assessed || isRedirect(this.#control.value.status);
    const target = headers.find(([name]) => name === 'location')?.[1];
    if (isUsual || !isRedirect(status) || target === undefined || !URL.canParse(target, url.href))
      return null;
    const folder = new URL(target, url);
    return folder.origin === url.origin && folder.pathname === `${url.pathname}/` ? folder : null;
  }

  /** Requests another random path, unless nothing was found that needs comparison. */
  async end(): Promise<OriginExposure> {
    const [origin, control, probes] = [this.#origin, this.#control, this.#probes];
    const isNeeded = probes.some(({ response }) => response.assessed && !isGone(response.value.status));
    const reason = this.#stop ?? (isNeeded ? null : 'No response needs to be compared with it.');
    if (reason !== null || this.#change !== null) this.#client.reserveRequests(-1);
    const control_after: Assessment<HttpResponse> =
      this.#change ?? (reason === null ? await askControl(this.#client, origin, true) : notAssessed(reason));
    return { origin, control, control_after, probes };
  }
}

async function askControl(client: HttpClient, origin: string, isReserved = false) {
  const random = urlAt(origin, `/${randomBytes(12).toString('hex')}`);
  const control = await assess(get(client, random, { depth: 'safe', isReserved }));
  return control.assessed ? readOf(control.value) : control;
}

/** The status of an error shows that the path does not exist; any other response needs its body. */
function readOf(value: HttpResponse): Assessment<HttpResponse> {
  return value.body_unread === null || value.status >= 300
    ? { assessed: true, value }
    : notAssessed(value.body_unread);
}

function get(client: HttpClient, url: URL, options: Pick<RequestOptions, 'depth' | 'isReserved'>) {
  const limits = { readLimit: readBytes, keepLimit: readBytes, encoding: 'latin1' } as const;
  return client.request(url, { ...options, ...limits });
}
