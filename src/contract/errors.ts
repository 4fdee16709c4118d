import { type Static, Type } from 'typebox';
import { RiskStatement } from './sources.ts';
import { closed } from './values.ts';

type ErrorEntries = Record<string, { readonly status: number; readonly error: string }>;

/**
 * All errors of the signed API, by code. `error` is one of the six texts of the specification (section 7), except for a 400 that
 * names the violated rule. `docs/errors.md` documents each.
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
  external_id_taken: {
    status: 400,
    error: 'Another system in this organization already has this external_id',
  },
  scan_target_ambiguous: { status: 400, error: 'Send exactly one of system_id and source_id' },
  scan_not_authorized: {
    status: 400,
    error: 'No source of this target is authorized for scans',
  },
  nothing_to_scan: { status: 400, error: 'No source of this target can be scanned by this service' },
  idempotency_key_reused: {
    status: 400,
    error: 'This idempotency_key was already used for a scan of another target',
  },
  source_is_draft: {
    status: 400,
    error: 'This source is a draft: accept its risk statement first',
  },
  source_is_disconnected: { status: 400, error: 'This source is disconnected: create a new one' },
  risk_statement_outdated: {
    status: 400,
    error: 'The risk statement has changed: read and accept the current version',
  },
  credential_not_applicable: {
    status: 400,
    error: 'This kind of source does not accept this type of credential',
  },
  source_is_probe_mode: {
    status: 400,
    error: 'A source in probe mode does not accept a credential',
  },
  too_many_sources: {
    status: 400,
    error:
      'The limit of 500 sources per system or 5,000 per organization is reached: disconnect one you no longer use',
  },
  too_many_scans: {
    status: 400,
    error: 'Too many scans are queued or were requested in the last hour: wait for some to finish',
  },
} as const satisfies ErrorEntries;

/** Errors of dashboard routes, in addition to those above. */
const dashboardErrors = {
  acceptance_out_of_range: {
    status: 400,
    error: 'The acceptance must end in the future, at most 366 days from now',
  },
  owner_not_member: { status: 400, error: 'The owner must be a member of the organization' },
  too_many_owned: { status: 400, error: 'A person can own at most 50,000 findings' },
  due_date_out_of_range: {
    status: 400,
    error: 'The due date must be today or later, at most 730 days from now',
  },
  mention_not_member: { status: 400, error: 'Only members of the organization can be mentioned' },
  too_many_mentions: { status: 400, error: 'A comment can mention at most 20 people' },
  too_many_comments: { status: 400, error: 'The limit of 500 comments of a finding is reached' },
  domain_not_proven: {
    status: 400,
    error: 'Prove control of the domain of this source before you request a full_active scan',
  },
  probe_reports: {
    status: 409,
    error: 'This probe still reports: stop it or revoke its key first',
  },
  already_done: {
    status: 409,
    error: 'This request already succeeded, but its response is no longer available: reload the page',
  },
  idempotency_key_mismatch: {
    status: 422,
    error: 'This Idempotency-Key was already used for another request',
  },
  sign_in_failed: { status: 401, error: 'Incorrect email address or password' },
  second_factor_failed: { status: 401, error: 'Incorrect or already used code' },
  too_busy: { status: 503, error: 'The service is busy: try again in a moment' },
  too_many_attempts: { status: 429, error: 'Too many attempts: wait before you try again' },
  too_many_changes: { status: 429, error: 'Too many changes: wait before you try again' },
  too_many_downloads: {
    status: 429,
    error: 'Too many requests of this kind are in progress: try again in a moment',
  },
  second_factor_required: { status: 403, error: 'Complete sign-in with your second factor' },
  second_factor_enrolment_required: {
    status: 403,
    error: 'Your role requires a second factor: set one up first',
  },
  step_up_required: { status: 403, error: 'Confirm your identity first' },
  cross_site_request: {
    status: 403,
    error: 'This request did not come from the dashboard, or the page is outdated: reload the page',
  },
  link_invalid: { status: 400, error: 'This link is invalid, expired or already used: request a new one' },
  sign_in_first: {
    status: 403,
    error:
      'This invitation is for another account: sign in with the invited email address, then open the link again',
  },
  address_reserved: {
    status: 403,
    error: 'The operator invited this email address: create the account with the link from the operator',
  },
  email_taken: { status: 400, error: 'This person is already a member of the organization' },
  identity_taken: {
    status: 400,
    error: 'This provider account is linked to another Parapet account',
  },
  account_verified: {
    status: 400,
    error: 'The email address of this account is verified: sign in to the account, then link the provider',
  },
  reauthentication_failed: {
    status: 401,
    error: 'The provider did not confirm your identity: sign in there again',
  },
  last_sign_in_method: {
    status: 400,
    error: 'This is your only sign-in method: add another one first',
  },
  weak_password: { status: 400, error: 'This password is too easy to guess' },
  password_wrong: { status: 400, error: 'The current password is incorrect' },
  passkey_refused: { status: 400, error: 'The passkey could not be verified: try again' },
  too_many_passkeys: {
    status: 400,
    error: 'The limit of 20 passkeys is reached: remove one you no longer use',
  },
  last_second_factor: {
    status: 400,
    error: 'Your role requires a second factor: set up another one before you remove this one',
  },
  last_owner: { status: 400, error: 'An organization must have at least one owner' },
  key_not_active: { status: 400, error: 'This key is expired or revoked' },
  too_many_keys: {
    status: 400,
    error: 'The limit of 500 active keys is reached: revoke one you no longer use',
  },
  too_many_invitations: {
    status: 400,
    error: 'The limit of 200 open invitations is reached: revoke one you no longer need',
  },
  too_many_people: {
    status: 400,
    error: 'The limit of 1,000 members and open invitations is reached: remove one first',
  },
  view_name_taken: { status: 400, error: 'You already have a view with this name' },
  too_many_views: { status: 400, error: 'The limit of 100 views is reached: delete one you no longer use' },
  code_incorrect: {
    status: 400,
    error: 'Incorrect or expired code: send a new one if it is not the last one',
  },
  mail_not_configured: {
    status: 400,
    error: 'This service has no mail server: its operator sets PARAPET_SMTP_URL',
  },
  address_not_confirmed: { status: 400, error: 'Confirm your email address first' },
  too_many_channels: {
    status: 400,
    error: 'The limit of 20 channels is reached: delete one you no longer use',
  },
  expiry_not_earlier: { status: 400, error: 'The new expiry must be earlier than the current one' },
  attestation_out_of_range: {
    status: 400,
    error: 'The attestation must expire in the future, at most 366 days from now',
  },
  attestation_not_newest: {
    status: 400,
    error: 'Only the latest attestation of a control can be withdrawn, and only once',
  },
  attestation_not_current: {
    status: 400,
    error: 'Evidence can be linked only to the current attestation of a control',
  },
  too_much_evidence: { status: 400, error: 'An attestation can have at most 100 pieces of evidence' },
  scan_not_finished: { status: 400, error: 'This scan has not finished: take the snapshot after it has' },
  file_type_refused: {
    status: 400,
    error:
      'Unsupported file: upload a PDF, PNG, JPEG, WebP, text, CSV, JSON, DOCX, XLSX or ODT file without active content, with a matching extension',
  },
  evidence_full: { status: 400, error: 'The evidence limit of the organization is reached' },
  evidence_retained: {
    status: 400,
    error: 'Evidence is retained for six years and cannot be deleted earlier',
  },
  shield_needs_website: { status: 400, error: 'Shield is for websites' },
} as const satisfies ErrorEntries;

export const errorCatalogue = { ...apiErrors, ...dashboardErrors };

export type ErrorCode = keyof typeof errorCatalogue;

/**
 * Codes that are not sent, because the status is sufficient. A 401 must also not reveal which check failed (specification,
 * section 5).
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
  path: Type.String({ description: 'Dotted path, such as `credential.type`; empty for the whole body.' }),
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
