import { request } from 'node:http';
import { connect } from 'node:net';
import type { SignedParts } from './signing-client.ts';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Names and values as received. */
  readonly rawHeaders: string[];
}

export interface RawOptions {
  /** Sends these header lines instead, including repeated names. */
  readonly headerLines?: readonly (readonly [string, string])[];
  /** Sends the body without announcing its length. */
  readonly chunked?: boolean;
  /** The loopback address of the client. */
  readonly from?: string;
}

/** Sends requests that `fetch` refuses: repeated headers, bodies on GET, chunked bodies. */
export function sendRaw(url: string, parts: SignedParts, options: RawOptions = {}): Promise<RawAnswer> {
  const body = parts.body === undefined ? undefined : Buffer.from(parts.body);
  const lines = options.headerLines ?? Object.entries(parts.headers);
  const framing = body
    ? [
        options.chunked
          ? (['transfer-encoding', 'chunked'] as const)
          : (['content-length', String(body.length)] as const),
      ]
    : [];
  const headers = [
    ...lines,
    ...framing,
    ['host', new URL(url).host] as const,
    ['connection', 'close'] as const,
  ];
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + parts.target,
      {
        method: parts.method,
        headers: headers.flat() as unknown as Record<string, string>,
        agent: false,
        ...(options.from ? { localAddress: options.from } : {}),
      },
      incoming => {
        const chunks: Buffer[] = [];
        incoming.on('data', chunk => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            rawHeaders: incoming.rawHeaders,
          }),
        );
        incoming.on('error', reject);
      },
    );
    // The server may close an oversized body after its answer.
    outgoing.on('error', error => reject(error));
    outgoing.end(body);
  });
}

/** An answer as received over a socket. */
export interface SocketAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

/**
 * Sends bytes unchanged and returns everything received until the connection ends; an empty text if nothing.
 *
 * @param ends whether the client closes its side after sending
 */
export function exchangeBytes(url: string, bytes: Buffer | string, { ends = true } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
      if (ends) socket.end(bytes);
      else socket.write(bytes);
    });
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk.toString('latin1');
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answer));
    socket.on('error', error =>
      ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
        ? resolve(answer)
        : reject(error),
    );
  });
}

/** The first answer in the received text. Fails if there is none. */
export function readAnswer(text: string): SocketAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!status) throw new Error(`no answer: ${JSON.stringify(text.slice(0, 200))}`);
  return { status, head, body: text.slice(end + 4) };
}

/** Sends one request with handwritten headers, on its own connection that ends with the answer. */
export async function sendLines(url: string, lines: readonly string[], body = ''): Promise<SocketAnswer> {
  const [requestLine, ...headers] = lines;
  const head = [requestLine, 'Connection: close', ...headers].join('\r\n');
  return readAnswer(await exchangeBytes(url, `${head}\r\n\r\n${body}`, { ends: false }));
}
