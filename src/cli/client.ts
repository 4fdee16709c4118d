import { setTimeout as pause } from 'node:timers/promises';
import { readUuid } from '../contract/uuid.ts';
import { withinTime } from '../domain/within-time.ts';
import { ClientError } from './client-error.ts';
import type { ClientSettings } from './settings.ts';
import { type SignedRequest, signRequest } from './sign-request.ts';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The request of the last attempt. */
  readonly request: SignedRequest;
  /** Duration of the last attempt. */
  readonly milliseconds: number;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds that the server clock is ahead; undefined without a Date header. */
  readonly clockAhead: number | undefined;
}

export interface SendOptions {
  readonly body?: string | Uint8Array | undefined;
  /** The POST is idempotent and can be retried after a lost connection. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Delays before the second and third attempt. */
const retryAfterMs = [300, 1_000];
/** Longer than the slowest request, a connection test. */
const timeoutMs = 40_000;

/** Sends signed requests to one service. */
export class Client {
  readonly settings: ClientSettings;
  readonly #retryAfterMs: readonly number[];

  constructor(settings: ClientSettings, options: { retryAfterMs?: readonly number[] } = {}) {
    this.settings = settings;
    this.#retryAfterMs = options.retryAfterMs ?? retryAfterMs;
  }

  /**
   * Sends a request. Server errors and failed connections are retried twice with a new timestamp, nonce and signature
   * (specification, section 5).
   *
   * @returns the answer, also if it is an error
   * @throws ClientError if the service cannot be reached
   */
  async send(method: string, target: string, options: SendOptions = {}): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const request = signRequest(this.settings, method, target, options.body);
      const wait = this.#retryAfterMs[attempt];
      try {
        const answer = await exchange(request, options.signal);
        if (wait === undefined || !isTransient(answer)) return answer;
      } catch (error) {
        options.signal?.throwIfAborted();
        const unsent = isUnsent(error);
        if (wait === undefined || (method === 'POST' && !options.repeatable && !unsent)) {
          throw unreachable(this.settings.url, error);
        }
      }
      await pause(wait, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}

function exchange(request: SignedRequest, signal: AbortSignal | undefined): Promise<Answer> {
  return withinTime(timeoutMs, signal, limited => exchangeUntil(request, limited));
}

async function exchangeUntil(request: SignedRequest, signal: AbortSignal): Promise<Answer> {
  const begin = Date.now();
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    // A signature is valid for one path of one service.
    redirect: 'manual',
    signal,
    ...(request.body === undefined ? {} : { body: request.body as NonNullable<RequestInit['body']> }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const end = Date.now();
  const date = Date.parse(response.headers.get('date') ?? '');
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    bytes,
    request,
    milliseconds: end - begin,
    requestId: readUuid(response.headers.get('x-request-id') ?? ''),
    // The Date header is truncated to seconds: add the expected half second.
    clockAhead: Number.isNaN(date) ? undefined : Math.round((date + 500 - (begin + end) / 2) / 1000),
  };
}

/** 502 to 504 come from a proxy while the service restarts. */
function isTransient(answer: Answer): boolean {
  return answer.status === 500 || (answer.status >= 502 && answer.status <= 504);
}

const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether the connection failed before the request was sent. */
function isUnsent(error: unknown): boolean {
  return beforeSending.has(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  const { cause, code } = error as { cause?: { code?: string }; code?: string };
  return cause?.code ?? code;
}

function unreachable(url: string, error: unknown): ClientError {
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
  const reason = timedOut ? `no answer in ${timeoutMs / 1000} s` : (codeOf(error) ?? 'the connection failed');
  return new ClientError(
    `${url} cannot be reached (${reason}). Check that the service is running and that PARAPET_URL is correct`,
  );
}
