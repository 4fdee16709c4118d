import { type ErrorCode, errorCatalogue, type FieldError } from '../contract/errors.ts';
import type { Refusal } from '../domain/refusal.ts';

/** A refusal as the log states it. */
export interface RefusedRequest {
  readonly reason: string;
  readonly fields: object;
}

/** Fields of a body or query that the log names. */
const mostFields = 10;
/** A name of the contract or the place in a list, unlike most that clients make up. */
const ownName = /^(?:[a-z][a-z0-9_]{0,39}|\d{1,5})$/;

/** What the log says about an error of the catalogue; undefined if the service failed. */
export function describeRefusal(
  code: ErrorCode,
  { details, because }: Pick<Refusal, 'details'> & Partial<Pick<Refusal, 'because'>>,
): RefusedRequest | undefined {
  if (errorCatalogue[code].status === 500) return undefined;
  const { reason = code, claimedKey, header, aheadSeconds, scope } = because ?? {};
  const { fields } = details;
  return {
    reason,
    fields: {
      error: code,
      ...(claimedKey === undefined ? {} : { claimed_key: claimedKey }),
      ...(header === undefined ? {} : { header }),
      ...(aheadSeconds === undefined ? {} : { clock_ahead_seconds: aheadSeconds }),
      ...(scope === undefined ? {} : { scope }),
      ...(fields === undefined ? {} : { fields: fields.slice(0, mostFields).map(loggedPath) }),
    },
  };
}

/** Without the names of unknown fields, which can be anything, also a secret. */
function loggedPath({ path, message }: FieldError): string {
  const parts = path.split('.', 40);
  if (message === 'is not a known field') parts[parts.length - 1] = '*';
  return parts.map(part => (part === '' || ownName.test(part) ? part : '*')).join('.');
}
