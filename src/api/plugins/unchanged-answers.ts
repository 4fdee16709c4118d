import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '../../http/app.ts';
import { sendJson } from '../../http/send-json.ts';

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

/** A URL of an organization that was requested at a version. */
interface Requested {
  readonly version: string;
  /** Missing until it is requested a second time. */
  readonly answer?: Answer;
}

/** Of an entry without its body, in bytes. Measured: 1.2 million took 298 MB. */
const entryBytes = 300;

/** Cache size in bytes per process. */
const keptBytes = 64 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response is kept: the same was requested before, and nothing has changed. */
    isRepeated: boolean;
  }
}

/**
 * Answers repeated GET and HEAD requests from memory while the version of what they read is unchanged, and with 304 for
 * a matching `If-None-Match` (RFC 9110, section 13.1.2): most polls find no change. A response is kept from the second
 * request on, since one that changes before each request would never be used.
 *
 * Answers are never stale: every writing transaction advances the versions, the guard reads them after the request arrives, and a cached
 * body was read after its version was committed.
 */
export function unchangedAnswers(app: App): void {
  const requested = new LRUCache<string, Requested>({
    maxSize: keptBytes,
    sizeCalculation: ({ answer }, key) => entryBytes + key.length + (answer?.body.length ?? 0),
  });
  app.decorateRequest('isRepeated', false);

  // Runs after authentication and the scope check, which were added before.
  app.addHook('onRequest', async (request, reply) => {
    if (!isKept(request)) return;
    const before = requested.get(keyOf(request));
    request.isRepeated = before?.version === request.dataVersion;
    if (!request.isRepeated) requested.set(keyOf(request), { version: request.dataVersion });
    const answer = request.isRepeated ? before?.answer : undefined;
    if (!answer) return;
    void reply.header('etag', answer.etag);
    if (namesTag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
    return sendJson(reply, answer.body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (!isKept(request) || reply.statusCode !== 200) return payload;
    const isText = typeof payload === 'string';
    if (!isText && !Buffer.isBuffer(payload)) return payload;
    const etag = (reply.getHeader('etag') as string | undefined) ?? tagOf(payload);
    if (request.isRepeated) {
      const body = isText ? Buffer.from(payload) : payload;
      requested.set(keyOf(request), { version: request.dataVersion, answer: { body, etag } });
    }
    void reply.header('etag', etag);
    if (!namesTag(request.headers['if-none-match'], etag)) return payload;
    // The Content-Length of a 304 would have to be that of the 200 (RFC 9110, section 8.6).
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  });
}

/** A strong ETag for anything that determines the bytes of a body. */
export function tagOf(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

interface KeptRequest {
  readonly method: string;
  readonly url: string;
  readonly apiKey: { readonly organizationId: string };
  readonly routeOptions: { readonly config: { readonly reads?: unknown } };
}

/** Fastify removes the body of a HEAD answer after these hooks. */
function isKept({ method, apiKey, routeOptions }: KeptRequest): boolean {
  return (
    Boolean(apiKey) && routeOptions.config.reads !== undefined && (method === 'GET' || method === 'HEAD')
  );
}

/** Weak comparison (RFC 9110, section 13.1.2). Our ETags contain no comma. */
function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some(part => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

function keyOf({ apiKey, url }: KeptRequest): string {
  return `${apiKey.organizationId} ${url}`;
}
