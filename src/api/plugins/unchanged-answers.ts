import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '../../http/app.ts';

interface Answer {
  readonly body: string;
  readonly etag: string;
}

/** Bytes of bodies that a node keeps. */
const keptBytes = 64 * 1024 * 1024;

/**
 * Clients poll, and mostly nothing has changed. A GET or HEAD that was answered before is answered from memory as long as the
 * organization's data version is the same, at the price of the signature and the guard; with `If-None-Match`
 * (RFC 9110, section 13.1.2) as 304 without a body.
 *
 * It is never stale: the guard reads the version after the request has arrived, and every transaction that writes
 * advances it. A body that is kept under a version was read after that version was committed.
 */
export function unchangedAnswers(app: App): void {
  const answers = new LRUCache<string, Answer>({
    maxSize: keptBytes,
    sizeCalculation: (answer, key) => answer.body.length + key.length,
  });

  // After admission and scope, which are hooks of the same kind and were added before.
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
    // Without a body, and without what describes one: a Content-Length would be that of the answer (RFC 9110, section 8.6).
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  });
}

/** HEAD is answered like GET, and loses its body after the hooks here. */
function isRead({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether `If-None-Match` holds the tag, compared weakly (RFC 9110, section 13.1.2), or `*`. Tags of ours have no comma. */
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
