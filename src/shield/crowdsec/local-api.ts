/** Reads a secret as it is now. It rejects if there is none. */
type Secret = () => Promise<string>;

export interface LocalApiOptions {
  /** Origin of the local API, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Login of a machine, which alone may read alerts: `cscli machines add`. */
  readonly machine?: { readonly id: string; readonly password: Secret };
  /** Key that may only read decisions: `cscli bouncers add`. */
  readonly bouncerKey?: Secret;
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

const maxBytes = 64_000_000;
const timeoutMilliseconds = 20_000;
/** CrowdSec 1.4 refuses logins whose user agent is not a name and a version. */
const userAgent = 'parapet-shield/v1.0.0';

/** Reads from the local API of CrowdSec 1.4 or later. It is never written to. */
export class LocalApi {
  readonly #options: LocalApiOptions;
  #token: string | undefined;
  /** The key that was accepted last: reading it may run a command. */
  #key: string | undefined;

  constructor(options: LocalApiOptions) {
    this.#options = options;
  }

  /** The newest alerts with their decisions, newest first. */
  async alerts(limit: number): Promise<unknown> {
    const path = `/v1/alerts?limit=${limit}`;
    const login = this.#login;
    this.#token ??= await this.#logIn();
    const answer = await this.#request(path, { headers: { authorization: `Bearer ${this.#token}` } });
    if (!isRefusal(answer)) return this.#read(answer, login);
    // Tokens expire after an hour, and the password may have been replaced.
    await answer.body?.cancel();
    this.#token = await this.#logIn();
    const again = await this.#request(path, { headers: { authorization: `Bearer ${this.#token}` } });
    return this.#read(again, login);
  }

  /** The active decisions; null if there are none. */
  async decisions(): Promise<unknown> {
    if (this.#key !== undefined) {
      const answer = await this.#decisionsFor(this.#key);
      if (!isRefusal(answer)) return this.#read(answer, 'the bouncer key');
      // It may have been replaced.
      await answer.body?.cancel();
      this.#key = undefined;
    }
    const key = await secretOf(this.#options.bouncerKey);
    const answer = await this.#decisionsFor(key);
    if (!isRefusal(answer)) this.#key = key;
    return this.#read(answer, 'the bouncer key');
  }

  #decisionsFor(key: string): Promise<Response> {
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
    const { token } = ((await this.#read(answer, this.#login)) ?? {}) as { token?: unknown };
    if (typeof token !== 'string') throw new LocalApiError('api_refused', 'the local API sent no token');
    return token;
  }

  async #request(
    path: string,
    request: RequestInit & { readonly headers: Readonly<Record<string, string>> },
  ): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    try {
      const headers = { ...request.headers, 'user-agent': userAgent };
      return await fetch(new URL(path, this.#options.url), {
        ...request,
        headers,
        redirect: 'error',
        signal,
      });
    } catch {
      throw new LocalApiError('api_unreachable', 'the local API cannot be reached');
    }
  }

  /** @param login that the request was made with, in words */
  async #read(answer: Response, login: string): Promise<unknown> {
    if (!answer.ok) {
      await answer.body?.cancel();
      if (isRefusal(answer)) throw new LocalApiError('api_refused', `the local API refuses ${login}`);
      throw new LocalApiError(
        'api_unreachable',
        answer.status === 404 ? anotherProgram : `the local API answered with ${answer.status}`,
      );
    }
    if (/html/.test(answer.headers.get('content-type') ?? '')) {
      await answer.body?.cancel();
      throw new LocalApiError('api_unreachable', anotherProgram);
    }
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const piece of answer.body ?? []) {
        bytes += piece.length;
        if (bytes > maxBytes) throw new Error('too large');
        pieces.push(piece);
      }
      return JSON.parse(Buffer.concat(pieces).toString('utf8'));
    } catch {
      throw new LocalApiError('api_unreachable', 'the answer of the local API is incomplete or not JSON');
    }
  }
}

const isRefusal = ({ status }: Response): boolean => status === 401 || status === 403;

async function secretOf(read: Secret | undefined): Promise<string> {
  try {
    return (await read?.()) ?? '';
  } catch (error) {
    throw new LocalApiError('api_refused', (error as Error).message);
  }
}
