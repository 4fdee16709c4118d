import { apiErrors } from '../contract/errors.ts';
import type { IngestReceipt } from '../contract/events.ts';

/** Why a key is refused. The same answer says that its limit is reached, which passes. */
export const refusedHint =
  "it is incomplete, altered, revoked, expired or of another service, its limit is reached, or service.brand is not the service's PARAPET_BRAND";

export const dashboardKeyHint =
  'the key is a dashboard key, which belongs to no system: use a probe key of the system';

/** Whether the service itself refused the events, and not something in between. */
export function isRefusal(json: unknown): boolean {
  return errorOf(json) === apiErrors.invalid_body.error;
}

/** Whether the service refused the key rather than the events: a dashboard key belongs to no system. */
export function isOfNoSystem(json: unknown): boolean {
  const { fields } = Object(json) as { readonly fields?: unknown };
  return isRefusal(json) && Array.isArray(fields) && fields.some(field => Object(field).path === 'system_id');
}

/** Whether the service answered, and not something in between, such as a proxy: answers of both are often JSON. */
export function isOfService(status: number, json: unknown): boolean {
  if (status === 202) return isReceipt(json);
  return Object.values(apiErrors).some(known => known.status === status && known.error === errorOf(json));
}

function errorOf(json: unknown): unknown {
  return (json as { error?: unknown } | null | undefined)?.error;
}

function isReceipt(json: unknown): json is { accepted: number; duplicates: unknown; rejected: unknown[] } {
  const { accepted, rejected } = Object(json) as { readonly [name: string]: unknown };
  return typeof accepted === 'number' && Array.isArray(rejected);
}

/** Characters of a reason that are kept. */
const mostReason = 1_000;

/**
 * The receipt of a batch.
 *
 * @param size events of the batch
 * @returns undefined if it is not one for these events
 */
export function receiptOf(json: unknown, size: number): IngestReceipt | undefined {
  if (!isReceipt(json) || json.rejected.length > size) return undefined;
  const rejected = new Map<number, string>();
  for (const entry of json.rejected) {
    const { index, error } = Object(entry) as { readonly [name: string]: unknown };
    if (!isIndex(index, size) || typeof error !== 'string' || rejected.has(index)) return undefined;
    rejected.set(index, error.slice(0, mostReason));
  }
  // Events that it does not count may not be stored.
  const { accepted } = json;
  const duplicates = Number(json.duplicates);
  if (![accepted, duplicates].every(count => Number.isInteger(count) && count >= 0)) return undefined;
  if (accepted + duplicates + rejected.size !== size) return undefined;
  return {
    accepted,
    duplicates,
    rejected: [...rejected].map(([index, error]) => ({ index, error })),
  };
}

/**
 * The reasons of a refused batch, by the index of the event. Other fields are ignored.
 *
 * @param size events of the batch
 */
export function refusalsOf(json: unknown, size: number): ReadonlyMap<number, string> {
  const { fields } = Object(json) as { readonly fields?: unknown };
  const reasons = new Map<number, string>();
  for (const field of Array.isArray(fields) ? fields : []) {
    const { path, message } = Object(field) as { readonly [name: string]: unknown };
    if (typeof path !== 'string' || typeof message !== 'string') continue;
    const index = Number(/^events\.(\d{1,4})$/.exec(path)?.[1] ?? Number.NaN);
    if (isIndex(index, size)) reasons.set(index, message.slice(0, mostReason));
  }
  return reasons;
}

function isIndex(value: unknown, size: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < size;
}
