import type { Dispatcher } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Client from 'undici/lib/dispatcher/client.js';
import { targetLimits } from '../../captures/limits.ts';
import type { HeaderList, HttpResponse } from '../../captures/website.ts';
import { connectPinned, connectPinnedTls } from '../connection/pinned-connection.ts';
import type { PinnedAddress, TargetGuard } from '../connection/target-guard.ts';
import { readBounded } from './body.ts';
import { readBodyText } from './body-text.ts';
import { type Budget, defaultLimits } from './budget.ts';
import type { Coverage } from './coverage.ts';
import { codeOf, errorCodeOf, LimitReached, NotCovered } from './failure.ts';

export interface HttpClientOptions {
  readonly guard: TargetGuard;
  readonly budget: Budget;
  readonly userAgent: string;
  readonly trustedRoots: readonly string[];
  /** Applied to every text of the capture. */
  readonly redact: (text: string) => string;
  /** In a full scan: what the proof of the domain covers. */
  readonly coverage?: (url: URL) => Coverage;
}

export interface RequestOptions {
  /** The scans that send this request: `full` if safe scans do not. */
  readonly depth: 'safe' | 'full';
  /** Default GET. */
  readonly method?: HttpResponse['method'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Refuse a server with an untrusted certificate. Set if a credential is sent. */
  readonly requireTrusted?: boolean;
  /** It was reserved with `reserveRequests`. */
  readonly isReserved?: boolean;
  /** Bytes of the body to receive and to keep. */
  readonly readLimit: number;
  readonly keepLimit: number;
  readonly encoding: 'utf8' | 'latin1';
}

const maxHeaderBytes = 32 * 1024;

/** The body of a redirect is not needed. A short one is received, so that the connection can be reused. */
const redirectBytes = 16 * 1024;

/**
 * The read-only requests of one collection: one at a time, to pinned addresses, without redirects and cookies, with
 * limits on time and size. Connections are kept for further requests to the same origin.
 */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #pins = new Map<string, Promise<PinnedAddress>>();
  /** The error with which a client's connection ended. */
  readonly #connectionErrors = new WeakMap<Client, unknown>();
  readonly #clients = new Map<string, Client>();
  /** By origin: whether the last new connection had a trusted certificate, if the proof requires one. */
  readonly #trusted = new Map<string, boolean>();
  #uncovered = 0;

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** Checks and resolves a host once for the whole collection. @throws TargetRefused */
  pin(hostname: string): Promise<PinnedAddress> {
    const known = this.#pins.get(hostname);
    if (known !== undefined) return known;
    // The guard has its own time limit, and reports what did not answer.
    const pinned = this.#options.guard.pin(hostname, this.#options.budget.lifetime);
    this.#pins.set(hostname, pinned);
    return pinned;
  }

  /** Reserves requests of the budget for later ones with `isReserved`; a negative count releases them. */
  reserveRequests(count: number): void {
    this.#options.budget.reserveRequests(count);
  }

  /** @throws TargetRefused, BudgetSpent, NotCovered, or an error that `errorCodeOf` handles */
  async request(url: URL, options: RequestOptions): Promise<HttpResponse> {
    assertReadable(url);
    this.assertCovered(url, options);
    if (!this.#needsTrust(url)) return this.#requestAgain(url, options);
    try {
      // Verified on the connection that carries the request, since another one may lead to another server.
      const response = await this.#requestAgain(url, { ...options, requireTrusted: true });
      this.#trusted.set(url.origin, true);
      return response;
    } catch (error) {
      if (!['tls_untrusted', 'tls_failed'].includes(errorCodeOf(error))) throw error;
      this.#trusted.set(url.origin, false);
      this.#uncovered += 1;
      this.assertCovered(url, options);
      if (options.requireTrusted) throw error;
      return this.#requestAgain(url, options);
    }
  }

  /**
   * At a place that its proof does not cover, a full scan sends only the requests of a safe scan, and no more of them.
   *
   * @throws NotCovered
   */
  protected assertCovered(url: URL, { depth, method = 'GET' }: RequestOptions): void {
    if (this.#isCovered(url)) return;
    const isSpent = this.#uncovered >= defaultLimits.requests;
    const isMore = depth === 'full' || method !== 'GET';
    // The first request to an origin shows whether its certificate is trusted.
    if (isSpent || (isMore && !this.#needsTrust(url))) {
      throw new NotCovered(this.#options.coverage?.(url) ?? 'none');
    }
  }

  /** Whether the proof covers the URL, given what is known of the origin's certificate. */
  #isCovered(url: URL): boolean {
    const coverage = this.#options.coverage?.(url) ?? 'covered';
    return coverage === 'covered' || (coverage === 'if_trusted' && this.#trusted.get(url.origin) === true);
  }

  #needsTrust(url: URL): boolean {
    return this.#options.coverage?.(url) === 'if_trusted' && this.#trusted.get(url.origin) !== false;
  }

  /** Paths that the robots.txt of a host, with its port, names, if the client has read it. */
  pathsOfRobots(_host: string): readonly string[] {
    return [];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(client => client.destroy()));
    this.#clients.clear();
  }

  async #requestAgain(url: URL, options: RequestOptions): Promise<HttpResponse> {
    const reused = this.#clients.has(clientKey(url, options));
    try {
      return await this.#requestOnce(url, options);
    } catch (error) {
      // A server may close an idle connection as the next request is sent, so it is sent once more on a new one.
      const code = (error as { code?: unknown }).code;
      if (reused && (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')) {
        return await this.#requestOnce(url, { ...options, isReserved: false });
      }
      throw error;
    }
  }

  async #requestOnce(url: URL, options: RequestOptions): Promise<HttpResponse> {
    const { budget, redact, userAgent } = this.#options;
    const pinned = await this.pin(hostnameOf(url));
    budget.spendRequest(options.isReserved);
    if (!this.#needsTrust(url) && !this.#isCovered(url)) this.#uncovered += 1;
    const { method = 'GET' } = options;
    const client = this.#client(url, options, pinned);
    this.#connectionErrors.delete(client);
    const response = await request
      .call(client, {
        method,
        path: url.pathname + url.search,
        headers: {
          'user-agent': userAgent,
          accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
          'accept-encoding': 'identity',
          ...options.headers,
        },
        body: options.body ?? null,
        responseHeaders: 'raw',
        signal: budget.requestSignal(),
      })
      .catch((error: unknown) => {
        const code = codeOf(error);
        if (code === 'UND_ERR_HEADERS_OVERFLOW') throw new LimitReached(tooManyFields);
        // For a TLS alert, the client reports only that the connection has ended.
        const said = this.#connectionErrors.get(client);
        throw code === 'UND_ERR_SOCKET' && codeOf(said).startsWith('ERR_SSL') ? said : error;
      });
    response.body.on('error', () => {});
    const headers = headerList(response, redact);
    if (headers.length > targetLimits.headerFields) {
      response.body.destroy();
      throw new LimitReached(tooManyFields);
    }
    const wanted = isRedirect(response.statusCode) ? redirectBytes : options.readLimit;
    const limit = Math.min(wanted, options.readLimit, budget.bytesLeft);
    const raw = await readBounded(response.body, limit, count => budget.spendBytes(count));
    const read = await readBodyText(raw, headers, options.keepLimit, options.encoding);
    return {
      method,
      url: redact(url.href),
      status: response.statusCode,
      headers,
      ...read,
      body: redact(read.body),
      // A partial response was not requested and is incomplete. For a body that ends with the connection, the client
      // treats a reset as its end.
      body_truncated:
        read.body_truncated ||
        response.statusCode === 206 ||
        (!saysItsEnd(headers) && this.#connectionErrors.has(client)),
    };
  }

  #client(url: URL, options: RequestOptions, pinned: PinnedAddress): Client {
    const key = clientKey(url, options);
    const known = this.#clients.get(key);
    if (known !== undefined && !known.destroyed) return known;
    const { budget, trustedRoots } = this.#options;
    const port = portOf(url);
    const client = new Client(url.origin, {
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: budget.limits.requestMs,
      bodyTimeout: budget.limits.requestMs,
      // undici's own connector would resolve names again, and connect to IP literals unchecked.
      connect: (_, callback) => {
        const signal = budget.requestSignal();
        const socket =
          url.protocol === 'https:'
            ? connectPinnedTls(pinned, port, signal, {
                rejectUnauthorized: options.requireTrusted === true,
                trustedRoots,
                lifetime: budget.lifetime,
                ...(options.requireTrusted
                  ? {}
                  : { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0', minDHSize: 1 }),
              })
            : connectPinned(pinned, port, signal, budget.lifetime);
        socket.then(
          connected => {
            connected.once('error', error => this.#connectionErrors.set(client, error));
            callback(null, connected);
          },
          (error: unknown) => callback(error instanceof Error ? error : new Error('aborted'), null),
        );
      },
    });
    this.#clients.set(key, client);
    return client;
  }
}

const tooManyFields = `A response has more than ${targetLimits.headerFields} header fields, or ${maxHeaderBytes / 1024} KB of them.`;

/** @throws LimitReached for a URL that is too long to request */
export function assertReadable(url: URL): void {
  if (url.href.length <= targetLimits.url) return;
  throw new LimitReached(`A URL has more than ${targetLimits.url} characters.`);
}

function clientKey(url: URL, options: RequestOptions): string {
  return `${url.origin} ${options.requireTrusted === true}`;
}

/** Whether a body ends where its headers say, rather than with the connection (RFC 9112, 6.3). */
function saysItsEnd(headers: HeaderList): boolean {
  return headers.some(([name]) => name === 'content-length' || name === 'transfer-encoding');
}

/** Whether a status redirects the client, if there is a Location (RFC 9110, 15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The URL's host without the brackets of IPv6. */
export function hostnameOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** The URL's port, including the scheme's default. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function headerList(response: Dispatcher.ResponseData, redact: (text: string) => string): HeaderList {
  // Requested as `raw`: a flat list of names and values, which undici's types do not express.
  const flat = response.headers as unknown as readonly (string | Buffer)[];
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    list.push([String(flat[index]).toLowerCase(), redact(String(flat[index + 1]))]);
  }
  return list;
}
