import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { rootCertificates } from 'node:tls';
import { getProxyForUrl } from 'proxy-from-env';
import { signRequest } from '../cli/sign-request.ts';
import { withinTime } from '../domain/within-time.ts';
import type { Clock } from './clock.ts';
import { explainFailure } from './explain-failure.ts';
import { readKey } from './key-file.ts';
import { dashboardKeyHint, isOfNoSystem, isOfService, isRefusal, refusedHint } from './service-answers.ts';
import type { ServiceSettings } from './settings.ts';
import { TunnelAgent } from './tunnel-agent.ts';

export interface ServiceAnswer {
  readonly status: number;
  /** The body as JSON; undefined if it is not JSON or too long. */
  readonly json: unknown;
  /** Correction of the clock after this answer, in milliseconds. */
  readonly corrected: number;
}

/** A proxy in the environment that cannot be used. The message does not repeat it: it may contain a password. */
class ProxyUnusable extends Error {
  override readonly name = 'ProxyUnusable';
}

const mostAnswerBytes = 1024 * 1024;

/** The functions that take events, and the names of the agents that send them. */
const userAgents = {
  '/functions/v1/events-ingest': 'parapet-probe',
  '/functions/v1/shield-ingest': 'parapet-shield',
} as const;
export type IngestTarget = keyof typeof userAgents;

interface Answer extends Omit<ServiceAnswer, 'corrected'> {
  readonly date: string | undefined;
}

/** Sends signed requests of an agent to the service, through a proxy if there is one. */
export class ServiceConnection {
  readonly #service: ServiceSettings;
  readonly #clock: Clock;
  readonly #ca: string[] | undefined;
  readonly #answerMs: number;
  #agent: HttpAgent;

  /**
   * @param options.answerMs milliseconds for an answer
   * @throws ProxyUnusable
   */
  constructor(
    service: ServiceSettings,
    clock: Clock,
    { answerMs = 30_000 }: { readonly answerMs?: number } = {},
  ) {
    this.#service = service;
    this.#clock = clock;
    this.#answerMs = answerMs;
    const { authorities } = service;
    this.#ca = authorities === undefined ? undefined : [...rootCertificates, authorities];
    this.#agent = agentFor(service, this.#ca);
  }

  /**
   * Sends one request, signed with the key as it is now: a key that was rotated is used from the next request on.
   *
   * @throws KeyUnusable, and the error of the connection
   */
  async post(target: IngestTarget, body: string, signal?: AbortSignal): Promise<ServiceAnswer> {
    const settings = await readKey(this.#service);
    const timestamp = String(Math.floor(this.#clock.now() / 1000));
    const nonce = crypto.randomUUID();
    const { url, headers } = signRequest(settings, 'POST', target, body, { timestamp, nonce });
    const sentAt = Date.now();
    const sent = { ...headers, 'user-agent': userAgents[target] };
    const { status, date, json } = await this.#exchange(url, sent, body, signal);
    // Others may have another time.
    const corrected = isOfService(status, json) ? this.#clock.learn(date, sentAt) : 0;
    return { status, json, corrected };
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request and reads its answer, within the time limit and until the signal. */
  async #exchange(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return withinTime(this.#answerMs, signal, async end => {
      try {
        return await unlessAborted(this.#send(url, headers, body), end);
      } catch (error) {
        if (!end.aborted) throw error;
        // A request that waits for a connection does not end by itself, and keeps all later ones waiting.
        this.#agent.destroy();
        this.#agent = agentFor(this.#service, this.#ca);
        throw signal?.aborted ? error : new Error(`no answer within ${this.#answerMs / 1000} s`);
      }
    });
  }

  async #send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const options = {
      method: 'POST',
      headers,
      agent: this.#agent,
      ca: this.#ca,
    };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      send(url, options, resolve)
        .on('error', error => reject(explainFailure(error)))
        .end(body);
    });
    return { status: message.statusCode ?? 0, date: message.headers.date, json: await jsonOf(message) };
  }
}

/**
 * One connection at a time; over TLS through the configured proxy or that of the environment.
 *
 * @throws ProxyUnusable
 */
function agentFor({ url, proxy }: ServiceSettings, ca: string[] | undefined): HttpAgent {
  const options = { keepAlive: true, maxSockets: 1, timeout: 60_000 };
  // A proxy would read the key.
  if (url.startsWith('http:')) return new HttpAgent(options);
  const given = proxy ?? getProxyForUrl(url);
  if (given === '') return new HttpsAgent(options);
  if (!/^https?:/.test(given) || !URL.canParse(given)) {
    throw new ProxyUnusable(
      'HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.internal:3128',
    );
  }
  const { origin, username, password } = new URL(given);
  const authorization = username || password ? loginHeader(username, password) : undefined;
  return new TunnelAgent({ url: origin, ...(authorization ? { authorization } : {}) }, { ...options, ca });
}

function loginHeader(username: string, password: string): string {
  try {
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(login).toString('base64')}`;
  } catch {
    throw new ProxyUnusable('the login in HTTPS_PROXY must be percent-encoded: a % is %25');
  }
}

/**
 * Checks the proxy that a connection would use.
 *
 * @throws ProxyUnusable
 */
export function requireUsableProxy(service: ServiceSettings): void {
  agentFor(service, undefined).destroy();
}

/** Rejects as soon as the signal is aborted, whatever becomes of the work. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function jsonOf(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the message.
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

interface KeyCheck {
  readonly ok: boolean;
  readonly words: string;
}

/** Tests the key with an event that is none: the service verifies the key, and then refuses the batch. */
export async function checkKey(
  service: ServiceSettings,
  clock: Clock,
  target: IngestTarget,
): Promise<KeyCheck> {
  try {
    const connection = new ServiceConnection(service, clock);
    try {
      return await checkOver(connection, clock, target);
    } finally {
      connection.close();
    }
  } catch (error) {
    return { ok: false, words: (error as Error).message };
  }
}

async function checkOver(
  connection: ServiceConnection,
  clock: Clock,
  target: IngestTarget,
): Promise<KeyCheck> {
  const attempt = () => connection.post(target, '{"events":[null]}');
  let answer = await attempt();
  if (answer.status === 401 && answer.corrected !== 0) answer = await attempt();
  const seconds = Math.round((clock.offset ?? 0) / 1000);
  const skew =
    seconds === 0
      ? ''
      : `; the clock of this host is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead'}, which is corrected`;
  if (answer.status === 400 && isOfNoSystem(answer.json)) return { ok: false, words: dashboardKeyHint };
  if (answer.status === 400 && isRefusal(answer.json)) return { ok: true, words: `the key is valid${skew}` };
  if (!isOfService(answer.status, answer.json))
    return {
      ok: false,
      words: `something that is not Parapet answered ${answer.status}: is service.url its address?`,
    };
  if (answer.status === 401)
    return {
      ok: false,
      words: `the key was refused: ${refusedHint}${skew}`,
    };
  return { ok: false, words: `answered ${answer.status}` };
}
