import { type Static, Type } from 'typebox';
import { RiskStatement } from './sources.ts';
import { closed } from './values.ts';

type ErrorEntries = Record<string, { readonly status: number; readonly error: string }>;

/**
 * Every error that the signed API can answer with, by its code. `error` is one of the specification's six texts
 * (section 7), or the violated rule where a 400 names it. `docs/errors.md` explains each.
 */
export const apiErrors = {
  invalid_body: { status: 400, error: 'Invalid body' },
  invalid_query: { status: 400, error: 'Invalid body' },
  invalid_cursor: { status: 400, error: 'Invalid body' },
  unauthorized: { status: 401, error: 'Unauthorized' },
  forbidden: { status: 403, error: 'Forbidden' },
  privileged_connections_disabled: { status: 403, error: 'Forbidden' },
  not_found: { status: 404, error: 'Not found' },
  payload_too_large: { status: 413, error: 'Payload too large' },
  headers_too_large: { status: 431, error: 'Payload too large' },
  request_timeout: { status: 408, error: 'Request failed' },
  request_failed: { status: 500, error: 'Request failed' },
  external_id_taken: { status: 400, error: 'Another system of this organization has this external_id' },
  scan_target_ambiguous: { status: 400, error: 'Send exactly one of system_id and source_id' },
  scan_not_authorized: {
    status: 400,
    error: 'No source of this target is authorized for scans',
  },
  nothing_to_scan: { status: 400, error: 'No source of this target can be scanned from this service' },
  idempotency_key_reused: {
    status: 400,
    error: 'This idempotency_key was used for a scan of another target',
  },
  source_is_draft: {
    status: 400,
    error: 'This source is a draft: accept its risk statement first',
  },
  source_is_disconnected: { status: 400, error: 'This source is disconnected: create a new one' },
  risk_statement_outdated: {
    status: 400,
    error: 'The risk statement has changed since that version: read and accept the current one',
  },
  credential_not_applicable: {
    status: 400,
    error: 'This type of credential does not fit this kind of source',
  },
  source_is_probe_mode: {
    status: 400,
    error: 'A probe assesses this source in place: it takes no credential',
  },
  too_many_sources: {
    status: 400,
    error:
      'A system has up to 500 sources, and an organization up to 5,000: disconnect one you no longer use',
  },
  too_many_scans: {
    status: 400,
    error: 'Too many scans wait or were requested within an hour: wait for some to finish',
  },
} as const satisfies ErrorEntries;

/** What only the dashboard's routes answer with, beside those above. */
const dashboardErrors = {
  acceptance_out_of_range: {
    status: 400,
    error: 'A finding is accepted until a date in the future, at most 366 days away',
  },
  domain_not_proven: {
    status: 400,
    error: 'This source needs a proof that its domain is yours before a full_active scan',
  },
  already_done: {
    status: 409,
    error: 'This was done already, but its answer is no longer available: reload the page to see it',
  },
  idempotency_key_mismatch: {
    status: 422,
    error: 'This Idempotency-Key was used for another request',
  },
  sign_in_failed: { status: 401, error: 'The e-mail address or the password is wrong' },
  second_factor_failed: { status: 401, error: 'This second factor is wrong, or was used before' },
  too_busy: { status: 503, error: 'The service is busy: try again in a moment' },
  too_many_attempts: { status: 429, error: 'Too many attempts: wait before the next one' },
  too_many_changes: { status: 429, error: 'Too many changes: wait before the next one' },
  too_many_downloads: {
    status: 429,
    error: 'Too many requests of this kind are in progress: try again in a moment',
  },
  second_factor_required: { status: 403, error: 'Finish signing in with your second factor' },
  second_factor_enrolment_required: {
    status: 403,
    error: 'Your role asks for a second factor: set one up first',
  },
  step_up_required: { status: 403, error: 'Confirm your identity first' },
  cross_site_request: {
    status: 403,
    error: 'This request did not come from this dashboard, or its page is out of date: load it anew',
  },
  link_invalid: { status: 400, error: 'This link was used, was withdrawn or has expired: ask for a new one' },
  sign_in_first: {
    status: 403,
    error:
      'This invitation is for another account: sign in with its e-mail address, then open the link again',
  },
  address_reserved: {
    status: 403,
    error: 'The operator has invited this e-mail address: create the account with the operator’s link',
  },
  email_taken: { status: 400, error: 'This person belongs to the organization already' },
  identity_taken: {
    status: 400,
    error: 'This provider account is linked to another Parapet account',
  },
  account_verified: {
    status: 400,
    error: 'The owner of this account has verified the e-mail address: sign in to it, then link the provider',
  },
  reauthentication_failed: {
    status: 401,
    error: 'The provider did not confirm your identity: sign in there again',
  },
  last_sign_in_method: {
    status: 400,
    error: 'This is your only way to sign in: add another one first',
  },
  weak_password: { status: 400, error: 'This password is too easy to guess' },
  password_wrong: { status: 400, error: 'The current password is wrong' },
  passkey_refused: { status: 400, error: 'This passkey was refused: begin again' },
  too_many_passkeys: { status: 400, error: 'You have 20 passkeys: remove one you no longer use' },
  last_second_factor: {
    status: 400,
    error: 'Your role asks for a second factor: set up another one before this one goes',
  },
  last_owner: { status: 400, error: 'An organization keeps at least one owner' },
  key_not_active: { status: 400, error: 'This key is revoked or has expired' },
  too_many_keys: { status: 400, error: 'The organization has 500 active keys: revoke one you no longer use' },
  too_many_invitations: {
    status: 400,
    error: 'The organization has 200 open invitations: revoke one you no longer need',
  },
  too_many_people: {
    status: 400,
    error: 'The organization has 1,000 people, open invitations among them: remove one who has left',
  },
  view_name_taken: { status: 400, error: 'You have another view of this name' },
  too_many_views: { status: 400, error: 'You keep 100 views: delete one you no longer use' },
  expiry_not_earlier: { status: 400, error: 'The expiry of a key can only be moved earlier' },
  attestation_out_of_range: {
    status: 400,
    error: 'An attestation is valid until a date in the future, at most 366 days away',
  },
  attestation_not_newest: {
    status: 400,
    error: 'Only the newest attestation of a control counts, and can be withdrawn once',
  },
  attestation_not_current: {
    status: 400,
    error: 'Evidence can be linked only to the current attestation of a control',
  },
  too_much_evidence: { status: 400, error: 'An attestation has at most 100 pieces of evidence' },
  scan_not_finished: { status: 400, error: 'This scan has not ended: take the snapshot once it has' },
  file_type_refused: {
    status: 400,
    error:
      'Send a PDF, PNG, JPEG, WebP, text, CSV, JSON, DOCX, XLSX or ODT file without programs, with the name that fits its content',
  },
  evidence_full: { status: 400, error: 'The organization has as much evidence as it may keep' },
  evidence_retained: {
    status: 400,
    error: 'Evidence is kept for six years: until then nobody can delete it',
  },
} as const satisfies ErrorEntries;

export const errorCatalogue = { ...apiErrors, ...dashboardErrors };

export type ErrorCode = keyof typeof errorCatalogue;

/**
 * Codes that the body leaves out, because the status says all there is. For 401 it would also say too much: the
 * body never tells which check failed (specification, section 5).
 */
export const unnamedErrors: ReadonlySet<ErrorCode> = new Set([
  'invalid_body',
  'unauthorized',
  'forbidden',
  'not_found',
  'payload_too_large',
  'request_failed',
]);

export const FieldError = closed({
  path: Type.String({ description: 'Dotted, as in `credential.type`; empty for the whole body.' }),
  message: Type.String(),
});
export type FieldError = Static<typeof FieldError>;

export const ErrorBody = closed({
  error: Type.String(),
  error_code: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Array(FieldError)),
  risk_statement: Type.Optional(RiskStatement),
  retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
  proof_of_work: Type.Optional(closed({ challenge: Type.String(), bits: Type.Integer() })),
  with_second_factor: Type.Optional(Type.Literal(true)),
});
export type ErrorBody = Static<typeof ErrorBody>;
