import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../contract/uuid.ts';
import {
  claimRequest,
  findFirstAnswer,
  type IdempotentRequest,
  keepAnswer,
} from '../../database/idempotent-requests.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request has claimed its idempotency key. */
    claimed: IdempotentRequest | undefined;
    /** SHA-256 of an uploaded file in hexadecimal, set by the route that has read it, since its body is a stream. */
    fileDigest: string | undefined;
  }
}

/** Another request has claimed the key and done the work. */
class DoneBefore extends Error {}

/**
 * Applies a change in an organization with an `Idempotency-Key` header, a UUID, only once: for an hour, further requests with
 * the key receive the first response, including concurrent requests on several nodes. The header has no effect on changes of
 * members.
 */
export function idempotency(app: App): void {
  app.decorateRequest('claimed', undefined);
  app.decorateRequest('fileDigest', undefined);
  app.addHook('onSend', async (request, reply, payload) => {
    const { claimed } = request;
    if (!claimed || reply.statusCode >= 300 || typeof payload !== 'string') return payload;
    await keepAnswer(request.store, claimed, { status: reply.statusCode, body: payload }).catch(error =>
      request.log.warn({ err: error }, 'idempotency.not_stored'),
    );
    return payload;
  });
}

/** Claims the key of the request, if any, in the transaction that makes the change. Throws an error that `answerOnce` handles. */
export async function claimKey(request: FastifyRequest, session: TenantSession): Promise<void> {
  if (request.claimed) return;
  const asked = idempotentRequest(request);
  if (!asked) return;
  if (!(await claimRequest(session, asked))) throw new DoneBefore();
  request.claimed = asked;
}

/** Runs the work, or repeats the response of the request that did it. */
export async function answerOnce<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => T | Promise<T>,
): Promise<T | FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DoneBefore)) throw error;
    return answerAgain(request, reply);
  }
}

/** Waits for the first response, which is stored shortly after the transaction that claimed the key. */
async function answerAgain(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const asked = idempotentRequest(request)!;
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = await findFirstAnswer(request.store, asked);
    if (first && !first.isSame) throw new Refusal('idempotency_key_mismatch');
    if (first?.answer) {
      const { status, body } = first.answer;
      return reply.code(status).type('application/json; charset=utf-8').serializer(String).send(body);
    }
    await setTimeout(100);
  }
  throw new Refusal('already_done');
}

function idempotentRequest(request: FastifyRequest): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !request.person) return undefined;
  if (typeof key !== 'string' || !isUuid(key.toLowerCase())) {
    const fields = [{ path: 'Idempotency-Key', message: 'must be a UUID' }];
    throw new Refusal('invalid_body', { fields });
  }
  const { method, url, body, fileDigest } = request;
  const content = fileDigest ?? canonicalJson(body ?? null);
  return { personId: request.person.id, key, content: `${method} ${url} ${content}` };
}
