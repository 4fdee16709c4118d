import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { rootCertificates } from 'node:tls';
import { readClientSettings } from '../cli/settings.ts';
import { signRequest } from '../cli/sign-request.ts';
import type { Clock } from './clock.ts';
import type { ServiceSettings } from './settings.ts';

export interface ServiceAnswer {
  readonly status: number;
  /** The body as JSON; undefined if it is not JSON or too long. */
  readonly json: unknown;
  /** Correction of the clock after this answer, in milliseconds. */
  readonly corrected: number;
}

/** The key could not be read, or is malformed. */
class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable';
}

const answerMs = 30_000;
const mostAnswerBytes = 1024 * 1024;
const brandOf = (service: ServiceSettings) => ({
  PARAPET_URL: service.url,
  PARAPET_BRAND: service.brand,
});

/** Sends signed requests of the probe to the service. */
export class ServiceConnection {
  readonly #service: ServiceSettings;
  readonly #clock: Clock;
  readonly #env: NodeJS.ProcessEnv;
  readonly #agent: HttpAgent;

  constructor(service: ServiceSettings, clock: Clock, env: NodeJS.ProcessEnv = process.env) {
    this.#service = service;
    this.#clock = clock;
    this.#env = env;
    const ca =
      service.caFile === undefined ? {} : { ca: [...rootCertificates, readFileSync(service.caFile, 'utf8')] };
    const options = { keepAlive: true, maxSockets: 1, timeout: 60_000 };
    this.#agent = service.url.startsWith('https:')
      ? new HttpsAgent({ ...options, ...ca })
      : new HttpAgent(options);
  }

  /**
   * Sends one request, signed with the key as it is now: a key that was rotated is used from the next request on.
   *
   * @throws KeyUnusable, and the error of the connection
   */
  async post(target: string, body: string, signal?: AbortSignal): Promise<ServiceAnswer> {
    const settings = await this.#settings();
    const timestamp = String(Math.floor(this.#clock.now() / 1000));
    const nonce = crypto.randomUUID();
    const { url, headers, method } = signRequest(settings, 'POST', target, body, { timestamp, nonce });
    const sentAt = Date.now();
    const message = await this.#exchange(
      url,
      { method, headers: { ...headers, 'user-agent': 'parapet-probe' } },
      body,
      signal,
    );
    const json = await jsonOf(message);
    return {
      status: message.statusCode ?? 0,
      json,
      corrected: this.#clock.learn(message.headers.date, sentAt),
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(
    url: string,
    options: object,
    body: string,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const limit = AbortSignal.timeout(answerMs);
    const signals = signal ? AbortSignal.any([signal, limit]) : limit;
    return new Promise((resolve, reject) => {
      request(url, { ...options, agent: this.#agent, signal: signals }, resolve)
        .on('error', error =>
          reject(limit.aborted ? new Error(`no answer within ${answerMs / 1000} s`) : error),
        )
        .end(body);
    });
  }

  async #settings(): Promise<ReturnType<typeof readClientSettings>> {
    const { keyFile } = this.#service;
    const given = keyFile === undefined ? this.#env : await readKeyFile(keyFile);
    try {
      return readClientSettings({ ...given, ...brandOf(this.#service) });
    } catch (error) {
      throw new KeyUnusable((error as Error).message);
    }
  }
}

/** The file that the dashboard or `parapet keys mint --json` gives. */
async function readKeyFile(file: string): Promise<NodeJS.ProcessEnv> {
  let key: { token?: unknown; token_id?: unknown; signing_key?: unknown };
  try {
    key = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new KeyUnusable(`${file} ${code ? `cannot be read (${code})` : 'is not JSON'}`);
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    PARAPET_TOKEN: text(key?.token),
    PARAPET_TOKEN_ID: text(key?.token_id),
    PARAPET_SIGNING_KEY: text(key?.signing_key),
  };
}

async function jsonOf(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostAnswerBytes) {
      message.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Tests the key with an empty batch: the service verifies the key, and then refuses the batch. */
export async function checkKey(
  service: ServiceSettings,
  clock: Clock,
  target: string,
): Promise<{ readonly ok: boolean; readonly words: string }> {
  const connection = new ServiceConnection(service, clock);
  const attempt = () => connection.post(target, '{"events":[]}');
  try {
    let answer = await attempt();
    if (answer.status === 401 && answer.corrected !== 0) answer = await attempt();
    const seconds = Math.round((clock.offset ?? 0) / 1000);
    const skew =
      seconds === 0
        ? ''
        : `; the clock of this host is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead'}, which is corrected`;
    if (answer.status === 400) return { ok: true, words: `the key is valid${skew}` };
    if (answer.status === 401)
      return { ok: false, words: `the key was refused: it is revoked, expired or of another service${skew}` };
    return { ok: false, words: `answered ${answer.status}` };
  } catch (error) {
    return { ok: false, words: (error as Error).message };
  } finally {
    connection.close();
  }
}
