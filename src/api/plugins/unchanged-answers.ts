import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '../../http/app.ts';

interface Answer {
  readonly body: string;
  readonly etag: string;
}

/** Cache size in bytes per process. */
const keptBytes = 64 * 1024 * 1024;

/**
 * Answers repeated GET and HEAD requests from memory while the data version of the organization is unchanged, and with 304 for
 * a matching `If-None-Match` (RFC 9110, section 13.1.2): most polls find no change.
 *
 * Answers are never stale: every writing transaction advances the version, the guard reads it after the request arrives, and a cached
 * body was read after its version was committed.
 */
export function unchangedAnswers(app: App): void {
  const answers = new LRUCache<string, Answer>({
    maxSize: keptBytes,
    sizeCalculation: (answer, key) => answer.body.length + key.length,
  });

  // Runs after authentication and the scope check, which were added before.
  app.addHook('onRequest', async (request, reply) => {
    if (!isRead(request) || !request.apiKey) return;
    const answer = answers.get(keyOf(request));
    if (!answer) return;
    void reply.header('etag', answer.etag);
    if (namesTag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(answer.body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    if (!isRead(request) || !request.apiKey || reply.statusCode !== 200) return payload;
    if (typeof payload !== 'string' || reply.hasHeader('etag')) return payload;
    const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
    answers.set(keyOf(request), { body: payload, etag });
    void reply.header('etag', etag);
    if (!namesTag(request.headers['if-none-match'], etag)) return payload;
    // The Content-Length of a 304 would have to be that of the 200 (RFC 9110, section 8.6).
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  });
}

/** Fastify removes the body of a HEAD answer after these hooks. */
function isRead({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Weak comparison (RFC 9110, section 13.1.2). Our ETags contain no comma. */
function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some(part => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

function keyOf(request: { apiKey: { organizationId: string }; dataVersion: string; url: string }): string {
  return `${request.apiKey.organizationId} ${request.dataVersion} ${request.url}`;
}
