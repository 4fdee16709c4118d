/** Decided by the guard: by the numbers of its SQL function `decide_requests`, -1 and so on. */
export const guardReasons = [
  'key_removed',
  'key_revoked',
  'key_expired',
  'nonce_reused',
  'key_limit',
  'organization_limit',
] as const;

/**
 * Why a request is refused whose answer does not say it: for the log and the metrics only, never for the client. `docs/logging.md`
 * explains each. Other refusals are logged with the code of their error.
 */
export const refusalReasons = [
  // Before the key is known.
  'malformed',
  'headers',
  'clock',
  'key_unknown',
  'lookups_full',
  // With a known key.
  'body_incomplete',
  'body_not_allowed',
  'media_type',
  'signature',
  'token',
  'address',
  ...guardReasons,
  // Authenticated.
  'key_ended',
  'scope',
  'role',
  // Of the dashboard.
  'no_session',
  'session_ended',
  'account_unknown',
  'account_changed',
  'password',
  'second_factor',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** What the log says about a refusal, in addition to the error: no secret, and nothing of unlimited length. */
export interface RefusedBecause {
  readonly reason: RefusalReason;
  /** Id of the key that the request names, in lower case. Only the shape is certain. */
  readonly claimedKey?: string | undefined;
  /** Name of the header that is missing, repeated or malformed. */
  readonly header?: string;
  /** Seconds that the clock of the client is ahead. */
  readonly aheadSeconds?: number;
  /** Scope that the key lacks. */
  readonly scope?: string;
}
