import { randomBytes, randomUUID } from 'node:crypto';
import { bearerBytes, type Caller, type Person, type Request, sessionBytes, signedBytes } from './caller.ts';

/** What a round requests, serializable for another process. */
export type Ask =
  | {
      readonly kind: 'get';
      readonly target: string;
      readonly bearer?: true;
      /** Whether the caller has the current response. */
      readonly isCurrent?: true;
    }
  /** With an idempotency key, the existing scan is returned; without, each request creates one. */
  | { readonly kind: 'scan'; readonly idempotencyKey?: string }
  /** Creates a system. */
  | { readonly kind: 'create' }
  /** A person marks a finding as a false positive. */
  | { readonly kind: 'triage' }
  | { readonly kind: 'ingest'; readonly events: number; readonly randomIds?: boolean };

/** The bytes of one request. */
export function bytesOf(ask: Ask, caller: Caller): Buffer {
  if (ask.kind === 'get') {
    const request = { method: 'GET', target: ask.target, isCurrent: ask.isCurrent === true } as const;
    return ask.bearer ? bearerBytes(caller, request) : signedBytes(caller, request);
  }
  if (ask.kind === 'triage') return triageBytes(caller.person!);
  const request = { scan: scanRequest, create: createRequest, ingest: ingestRequest }[ask.kind];
  return signedBytes(caller, request(caller, ask as never));
}

function createRequest(): Request {
  const body = JSON.stringify({ name: 'Shop', environment: 'production', kind: 'site' });
  return { method: 'POST', target: '/api/v1/systems', body };
}

function triageBytes(person: Person): Buffer {
  const decision = { decision: 'false_positive', reason: 'The page shows sample data.' };
  return sessionBytes(person, {
    method: 'POST',
    target: `/dashboard/api/organizations/${person.organizationId}/findings/triage`,
    body: JSON.stringify({ ids: [person.findingId], decision }),
  });
}

function scanRequest(
  caller: Caller,
  { idempotencyKey = randomUUID() }: { idempotencyKey?: string },
): Request {
  const body = JSON.stringify({ system_id: caller.systemId, idempotency_key: idempotencyKey });
  return { method: 'POST', target: '/api/v1/scans', body };
}

function ingestRequest(caller: Caller, ask: { events: number; randomIds?: boolean }): Request {
  const body = JSON.stringify({ system_id: caller.systemId, events: ingestedEvents(ask.events, ask) });
  return { method: 'POST', target: '/functions/v1/events-ingest', body };
}

/** Events that occurred now, with ids as probes send them, or with random ones. */
export function ingestedEvents(count: number, { randomIds = false }: { readonly randomIds?: boolean }) {
  const now = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => ({
    id: randomIds ? randomUUID() : orderedId(),
    kind: 'database.setting_seen',
    occurred_at: now,
    setting: 'ssl_min_protocol_version',
    value: 'TLSv1.2',
    expected: 'TLSv1.3',
    instance: `db-${index}.internal.example`,
  }));
}

let sequence = 0;

/** A UUIDv7, as probes send them: of increasing times, here with more than one per millisecond. */
function orderedId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt32BE(sequence++, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
