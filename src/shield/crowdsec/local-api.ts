import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { entriesIn, ListError } from './split-list.ts';

/** Reads a secret as it is now. It rejects if there is none. */
type Secret = () => Promise<string>;

export interface LocalApiOptions {
  /** Origin of the local API, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Login of a machine, which alone may read alerts: `cscli machines add`. */
  readonly machine?: { readonly id: string; readonly password: Secret };
  /** Key that may only read decisions: `cscli bouncers add`. */
  readonly bouncerKey?: Secret;
  /** How long an answer may take. */
  readonly answerMilliseconds?: number;
}

/** The local API cannot be reached, or refuses the login or key, or there is none. `message` has neither. */
export class LocalApiError extends Error {
  override readonly name = 'LocalApiError';
  readonly problem: 'api_unreachable' | 'api_refused';

  constructor(problem: LocalApiError['problem'], message: string) {
    super(message);
    this.problem = problem;
  }
}

const anotherProgram =
  "another program than CrowdSec's local API answers. CrowdSec and Parapet both use port 8080 unless they are configured otherwise";

/** Of an answer: memory is needed for one of its entries. */
const bounds = { bytes: 64_000_000, entries: 400_000, entryBytes: 500_000, entryParts: 10_000, depth: 30 };
const usualMilliseconds = 20_000;
/** CrowdSec 1.4 refuses logins whose user agent is not a name and a version. */
const userAgent = 'parapet-shield/v1.0.0';

interface LocalApiRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `of_own`: alerts with decisions; newer versions than 1.4 add those without. `none`: without active decisions. */
export type AlertDecisions = 'of_own' | 'none';

/** Reads from the local API of CrowdSec 1.4 or later. It is never written to. */
export class LocalApi {
  readonly #options: LocalApiOptions;
  readonly #signal: AbortSignal | undefined;
  #token: string | undefined;
  /** The key that was accepted last: reading it may run a command. */
  #key: string | undefined;
  /** How many milliseconds the clock of the API is ahead of this machine's, at most a second too few. */
  #ahead = 0;

  /** @param signal cuts off answers */
  constructor(options: LocalApiOptions, signal?: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /**
   * The newest alerts, newest first; undefined for one that is too large. Not those of the future, which would hide them, nor those of
   * shared lists, which have thousands of decisions.
   *
   * @param limit at most 100: of a larger one, CrowdSec 1.4 searches forever if it has more than a hundred alerts and fewer than the limit
   * @param upTo those that were created by this time, and some that were created up to three seconds later
   */
  async *alerts(
    decisions: AlertDecisions,
    limit: number,
    upTo?: string,
  ): AsyncGenerator<object | undefined, void> {
    // Times of alerts have no fractions of seconds.
    const age = upTo === undefined ? 0 : (Date.now() + this.#ahead - Date.parse(upTo)) / 1_000 - 1;
    const filter = decisions === 'none' ? 'has_active_decision=false' : 'include_capi=false';
    const path = `/v1/alerts?limit=${limit}&created_before=${Math.max(0, Math.floor(age))}s&${filter}`;
    this.#token ??= await this.#logIn();
    let answer = await this.#request(path, { headers: { authorization: `Bearer ${this.#token}` } });
    if (isRefusal(answer)) {
      // Tokens expire after an hour, and the password may have been replaced.
      answer.destroy();
      this.#token = await this.#logIn();
      answer = await this.#request(path, { headers: { authorization: `Bearer ${this.#token}` } });
    }
    yield* entriesOf(bodyOf(answer, this.#login));
  }

  /** The active decisions; undefined for one that is too large. */
  async *decisions(): AsyncGenerator<object | undefined, void> {
    let answer = this.#key === undefined ? undefined : await this.#decisionsFor(this.#key);
    if (answer === undefined || isRefusal(answer)) {
      // It may have been replaced.
      answer?.destroy();
      this.#key = undefined;
      const key = await secretOf(this.#options.bouncerKey);
      answer = await this.#decisionsFor(key);
      if (!isRefusal(answer)) this.#key = key;
    }
    yield* entriesOf(bodyOf(answer, 'the bouncer key'));
  }

  #decisionsFor(key: string): Promise<IncomingMessage> {
    return this.#request('/v1/decisions', { headers: { 'x-api-key': key } });
  }

  get #login(): string {
    return `the login of the machine ${this.#options.machine?.id}`;
  }

  async #logIn(): Promise<string> {
    const { machine } = this.#options;
    const password = await secretOf(machine?.password);
    const answer = await this.#request('/v1/watchers/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ machine_id: machine?.id, password }),
    });
    for await (const entry of entriesOf(listOf(bodyOf(answer, this.#login)))) {
      const { token } = (entry ?? {}) as { readonly token?: unknown };
      if (typeof token === 'string') return token;
    }
    throw new LocalApiError('api_refused', 'the local API sent no token');
  }

  /** Not with `fetch`: once it has returned, garbage collection in Node 20 can separate its signal from the answer. */
  async #request(path: string, { method = 'GET', headers, body }: LocalApiRequest): Promise<IncomingMessage> {
    const url = new URL(path, this.#options.url);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, { method, headers: { ...headers, 'user-agent': userAgent } });
    const cut = () => void request.destroy();
    const timer = setTimeout(cut, this.#options.answerMilliseconds ?? usualMilliseconds);
    this.#signal?.addEventListener('abort', cut);
    request.on('error', () => {});
    request.on('close', () => {
      clearTimeout(timer);
      this.#signal?.removeEventListener('abort', cut);
    });
    if (this.#signal?.aborted) cut();
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve).on('close', reject).end(body);
      });
      this.#ahead = Date.parse(answer.headers.date ?? '') - Date.now() || 0;
      return answer;
    } catch {
      throw new LocalApiError('api_unreachable', 'the local API cannot be reached');
    }
  }
}

async function* entriesOf(list: AsyncIterable<Uint8Array>): AsyncGenerator<object | undefined, void> {
  try {
    yield* entriesIn(list, bounds);
  } catch (error) {
    const message = error instanceof ListError ? error.message : 'is incomplete';
    throw new LocalApiError('api_unreachable', `the answer of the local API ${message}`);
  }
}

/** A list of one object. */
async function* listOf(object: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from('[');
  yield* object;
  yield Buffer.from(']');
}

/**
 * @param login that the request was made with, in words
 * @throws LocalApiError if the answer is an error, or of another program
 */
function bodyOf(answer: IncomingMessage, login: string): IncomingMessage {
  const { statusCode: status = 0 } = answer;
  const isOk = status >= 200 && status < 300;
  const isPage = /html/.test(answer.headers['content-type'] ?? '');
  if (isOk && !isPage) return answer;
  answer.destroy();
  if (isRefusal(answer)) throw new LocalApiError('api_refused', `the local API refuses ${login}`);
  throw new LocalApiError(
    'api_unreachable',
    isOk || status === 404 ? anotherProgram : `the local API answered with ${status}`,
  );
}

const isRefusal = ({ statusCode }: IncomingMessage): boolean => statusCode === 401 || statusCode === 403;

async function secretOf(read: Secret | undefined): Promise<string> {
  try {
    return (await read?.()) ?? '';
  } catch (error) {
    throw new LocalApiError('api_refused', (error as Error).message);
  }
}
