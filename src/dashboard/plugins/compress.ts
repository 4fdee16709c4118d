import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../http/app.ts';

/** A shorter response fits the first packets, compressed or not. */
const smallest = 2_048;

/** Fast levels: a page of a list takes a millisecond of a thread, not of the event loop. */
const compressors = {
  br: promisify(
    (text: string, done: (error: Error | null, compressed: Buffer) => void) =>
      void brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  ),
  gzip: promisify(
    (text: string, done: (error: Error | null, compressed: Buffer) => void) =>
      void gzip(text, { level: 5 }, done),
  ),
};
const encodings = [...Object.keys(compressors), 'identity'];

/**
 * Compresses the JSON of an organization's data. The length of a compressed response depends on its content, so that a site
 * which makes a browser send requests, and sees their lengths, could guess a secret that is in the response together with its
 * own words (BREACH). So responses to changes, which show new keys, and those outside of organizations, such as the session
 * with its CSRF token, are never compressed, nor those to requests that another site has caused.
 */
export function compressAnswers(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isData(request) || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    void reply.header('vary', 'accept-encoding');
    if (payload.length < smallest || isFromElsewhere(request)) return payload;
    const accepted = String(request.headers['accept-encoding'] ?? '').slice(0, 200);
    const encoding = negotiate.negotiate(accepted, encodings) ?? 'identity';
    const compress = compressors[encoding as keyof typeof compressors];
    if (!compress) return payload;
    const compressed = await compress(payload);
    // Set by Fastify for the text.
    void reply.removeHeader('content-length').header('content-encoding', encoding);
    return compressed;
  });
}

function isData({ method, organizationId }: FastifyRequest): boolean {
  return method === 'GET' && Boolean(organizationId);
}

/** Browsers send the header to HTTPS and to this machine. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin';
}
