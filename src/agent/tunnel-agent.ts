import { type ClientRequest, request as requestHttp } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { explainFailure } from './explain-failure.ts';

/** The proxy did not open a tunnel. */
class TunnelRefused extends Error {
  override readonly name = 'TunnelRefused';
}

/** The proxy did not answer. */
class ProxyUnreachable extends Error {
  override readonly name = 'ProxyUnreachable';
}

interface Proxy {
  /** Its origin. */
  readonly url: string;
  /** Value of `Proxy-Authorization`, if it requires a login. */
  readonly authorization?: string;
}

type Connected = (error: Error | null, socket: Duplex) => void;

/**
 * Connects over TLS through a tunnel of an HTTP proxy (RFC 9110, section 9.3.6). `destroy` also ends the requests for
 * tunnels that the proxy has not answered. Node bounds the headers of the answer.
 */
export class TunnelAgent extends HttpsAgent {
  readonly #proxy: Proxy;
  readonly #ca: string[] | undefined;
  readonly #asking = new Set<ClientRequest>();

  constructor(proxy: Proxy, options: AgentOptions & { readonly ca: string[] | undefined }) {
    super(options);
    this.#proxy = proxy;
    this.#ca = options.ca;
  }

  override createConnection(
    options: Parameters<HttpsAgent['createConnection']>[0],
    callback: Connected,
  ): undefined {
    const { url, authorization } = this.#proxy;
    const { host, port } = options as { readonly host: string; readonly port: number };
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const request = send(url, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
      agent: false,
      ...(this.#ca ? { ca: this.#ca } : {}),
    });
    const fail = (error: Error) => callback(error, undefined as unknown as Duplex);
    this.#asking.add(request);
    request
      .on('close', () => this.#asking.delete(request))
      .on('error', error =>
        fail(new ProxyUnreachable(`the proxy: ${explainFailure(error).message}`, { cause: error })),
      )
      .on('connect', ({ statusCode = 0 }, socket, head) => {
        // The service speaks only after the handshake: earlier bytes are the proxy's.
        if (statusCode >= 200 && statusCode < 300 && head.length === 0) {
          callback(null, super.createConnection({ ...options, socket } as typeof options)!);
          return;
        }
        socket.destroy();
        fail(new TunnelRefused(reasonOf(statusCode)));
      })
      .end();
  }

  override destroy(): void {
    for (const request of this.#asking) request.destroy();
    super.destroy();
  }
}

function reasonOf(status: number): string {
  return status === 407 ? 'the proxy requires a login (407)' : `the proxy opened no tunnel (${status})`;
}
