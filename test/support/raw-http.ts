import { request } from 'node:http';
import type { SignedParts } from './signing-client.ts';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Names and values as they came. */
  readonly rawHeaders: string[];
}

export interface RawOptions {
  /** Sends these header lines instead, names repeated as given. */
  readonly headerLines?: readonly (readonly [string, string])[];
  /** Sends the body without announcing its length. */
  readonly chunked?: boolean;
}

/** Sends what `fetch` would refuse to: repeated headers, bodies on GET, chunked bodies. */
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
      { method: parts.method, headers: headers.flat() as unknown as Record<string, string>, agent: false },
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
    // An over-size body may be cut off by the server after its answer.
    outgoing.on('error', error => reject(error));
    outgoing.end(body);
  });
}
