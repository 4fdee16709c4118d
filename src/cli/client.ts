import { setTimeout as pause } from 'node:timers/promises';
import { ClientError } from './client-error.ts';
import type { ClientSettings } from './settings.ts';
import { type SignedRequest, signRequest } from './sign-request.ts';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The request as it was last sent. */
  readonly request: SignedRequest;
  /** Milliseconds that the last attempt took. */
  readonly milliseconds: number;
  /** Seconds that the server's clock is ahead of ours; undefined when it did not say. */
  readonly clockAhead: number | undefined;
}

export interface SendOptions {
  readonly body?: string | Uint8Array | undefined;
  /** Sending it twice is as good as once, although it is a POST: then a lost connection is tried again too. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Pauses before the second and third attempt. */
const retryAfterMs = [300, 1_000];
/** A connection test of the service may take 15 seconds. */
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
   * Sends, and tries again twice with a new timestamp, nonce and signature (specification, section 5) where the service
   * answers 500 or is not reached.
   *
   * @throws ClientError when the service cannot be reached; any answer of it is returned, errors too
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

async function exchange(request: SignedRequest, signal: AbortSignal | undefined): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const begin = Date.now();
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    // A signature is for one path of one service: it is not carried on to another.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
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
    // The header has whole seconds, cut off: half a second more is the better guess.
    clockAhead: Number.isNaN(date) ? undefined : Math.round((date + 500 - (begin + end) / 2) / 1000),
  };
}

/** 500 asks for it; the others come from a proxy whose service is being restarted. */
function isTransient(answer: Answer): boolean {
  return answer.status === 500 || (answer.status >= 502 && answer.status <= 504);
}

const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether the service cannot have seen the request. */
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
    `${url} cannot be reached (${reason}): is the service running, is PARAPET_URL right?`,
  );
}
