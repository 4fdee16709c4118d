import { apiErrors } from '../contract/errors.ts';

/** Whether the service itself refused the events, and not something in between. */
export function isRefusal(json: unknown): boolean {
  return errorOf(json) === apiErrors.invalid_body.error;
}

/** Whether the service answered, and not something in between, such as a proxy: answers of both are often JSON. */
export function isOfService(status: number, json: unknown): boolean {
  if (status === 202) return isReceipt(json);
  return Object.values(apiErrors).some(known => known.status === status && known.error === errorOf(json));
}

function errorOf(json: unknown): unknown {
  return (json as { error?: unknown } | null | undefined)?.error;
}

function isReceipt(json: unknown): boolean {
  const { accepted, rejected } = Object(json) as { accepted?: unknown; rejected?: unknown };
  return typeof accepted === 'number' && Array.isArray(rejected);
}
