/** Why a connection to a target failed, as reported by the sandbox. */
export const connectionCauses = [
  'dns_failed',
  'refused_private_address',
  'invalid_host',
  'invalid_credential',
  'connection_refused',
  'connection_failed',
  'timeout',
  'tls_untrusted',
  'tls_failed',
  'tls_required',
  'tls_not_offered',
  'http2_only',
  'client_certificate_required',
  'key_unsupported',
  'http_invalid',
  'http_error',
  'https_required',
  'auth_failed',
  'auth_unsupported',
  'credential_missing',
  'credential_host_mismatch',
  'database_missing',
  'too_many_connections',
  'protocol_invalid',
] as const;
export type ConnectionCause = (typeof connectionCauses)[number];

/** How a sandboxed process died. */
export const deathCauses = ['crashed', 'out_of_memory', 'took_too_long'] as const;
export type DeathCause = (typeof deathCauses)[number];

/** `error_code` of a connection test. */
export const testErrors = [
  ...connectionCauses,
  ...deathCauses,
  'no_probe_report',
  'credential_lost',
  'privileged_connections_disabled',
] as const;
export type TestError = (typeof testErrors)[number];

/** `cause` of a run. */
export const runCauses = [
  ...connectionCauses,
  ...deathCauses,
  'assessed_by_probe',
  'credential_lost',
  'privileged_connections_disabled',
  'domain_not_proven',
  'source_disconnected',
  'scan_canceled',
  'retries_exhausted',
  'report_incomplete',
  'not_assessed',
  'checks_not_assessed',
  'detector_error',
  'detector_missing',
] as const;
export type RunCause = (typeof runCauses)[number];
