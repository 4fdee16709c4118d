import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { TenantSession, TenantStore } from './tenant-store.ts';

/** A request that takes effect once, however often it is sent. */
export interface IdempotentRequest {
  readonly personId: string;
  /** A UUID chosen by the client, so that its hash cannot be guessed. */
  readonly key: string;
  /** Method, path and body. */
  readonly content: string;
}

export interface FirstAnswer {
  /** Whether the first request with this key had the same content. */
  readonly isSame: boolean;
  /** Undefined until the first request has finished, and forever if the process died before that. */
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Hours for which a response is kept. */
const keptHours = 1;

/**
 * Claims the key in the transaction that processes the request. False if it was claimed before; waits for a
 * simultaneous transaction that claims it.
 */
export async function claimRequest(session: TenantSession, request: IdempotentRequest): Promise<boolean> {
  const rows = await session.query({
    text: `insert into idempotent_requests (person_id, key_hash, request_hash) values ($1, $2, $3)
      on conflict do nothing returning person_id`,
    values: [request.personId, sha256(request.key), sha256(request.content)],
  });
  return rows.length > 0;
}

/** Sets the organization for `claimRequest` in a transaction of the people store. */
export async function setOrganization(session: TenantSession, organizationId: string): Promise<void> {
  await session.query({
    text: "select set_config('parapet.organization_id', $1, true)",
    values: [organizationId],
  });
}

/** Stores the response, encrypted under the key. */
export async function keepAnswer(
  store: TenantStore,
  request: IdempotentRequest,
  answer: { readonly status: number; readonly body: string },
): Promise<void> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', answerKey(request), nonce);
  const encrypted = Buffer.concat([cipher.update(answer.body, 'utf8'), cipher.final()]);
  await store.conclude({
    name: 'keep-answer',
    text: 'update idempotent_requests set status = $3, answer = $4 where person_id = $1 and key_hash = $2',
    values: [
      request.personId,
      sha256(request.key),
      answer.status,
      Buffer.concat([nonce, cipher.getAuthTag(), encrypted]),
    ],
  });
}

/** The response to the first request with the key. Undefined if the key was not claimed. */
export async function findFirstAnswer(
  store: TenantStore,
  request: IdempotentRequest,
): Promise<FirstAnswer | undefined> {
  const rows = await store.queryOnce<{ request_hash: Buffer; status: number | null; answer: Buffer | null }>({
    name: 'find-first-answer',
    text: 'select request_hash, status, answer from idempotent_requests where person_id = $1 and key_hash = $2',
    values: [request.personId, sha256(request.key)],
  });
  if (!rows[0]) return undefined;
  const { request_hash, status, answer } = rows[0];
  const isSame = request_hash.equals(sha256(request.content));
  if (status === null || answer === null) return { isSame };
  const decipher = createDecipheriv('aes-256-gcm', answerKey(request), answer.subarray(0, 12));
  decipher.setAuthTag(answer.subarray(12, 28));
  const body = Buffer.concat([decipher.update(answer.subarray(28)), decipher.final()]).toString('utf8');
  return { isSame, answer: { status, body } };
}

/** Removes expired responses. @param session of the system role */
export async function forgetIdempotentRequests(session: TenantSession): Promise<void> {
  await session.query({
    text: `delete from idempotent_requests where created_at < now() - interval '${keptHours} hours'`,
  });
}

function answerKey({ key, personId }: IdempotentRequest): Buffer {
  return Buffer.from(hkdfSync('sha256', key, personId, 'parapet idempotent answer', 32));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
