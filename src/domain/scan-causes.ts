import type { RunCause, TestError } from '../contract/causes.ts';

/** Why a connection test or a run did not succeed, and what to do. */
const causes: Readonly<Record<RunCause | TestError, string>> = {
  dns_failed: 'The host name could not be resolved. Check how it is spelled, and its DNS records.',
  refused_private_address:
    'The host has an address that is not public, or is of the machine that scans. Whoever operates this service can allow it (PARAPET_TARGET_ALLOWLIST).',
  invalid_host: 'The host is not a valid name or address.',
  invalid_credential: 'The credential does not fit. Store it again.',
  connection_refused:
    'The connection was refused. Check that the server listens, and that a firewall lets us in.',
  connection_failed: 'The connection failed or was closed. Check the server and the network on the way.',
  timeout:
    'The server did not answer in time. Try again; if it goes on, see whether something drops the traffic.',
  tls_untrusted: 'The certificate is not trusted or does not cover the host.',
  tls_failed: 'No TLS connection could be made.',
  tls_required: 'A credential is sent over TLS only, and the server was to be reached without it.',
  http2_only: 'The server speaks HTTP/2 only, which scans do not. Offer HTTP/1.1 as well.',
  client_certificate_required:
    'The server requires a client certificate, which scans do not have. Scan it from a place that needs none.',
  key_unsupported:
    'The certificate has a key on a curve that browsers and scans do not support. Use P-256 or RSA.',
  tls_not_offered: 'The server does not offer TLS, and a credential is sent over TLS only.',
  http_invalid: 'The answer is not valid HTTP or exceeds a limit.',
  http_error: 'The server answers with an error.',
  https_required:
    'A credential is sent over HTTPS only, unless the address of the source begins with http://.',
  auth_failed: 'The server refuses the credential. Store the current one.',
  auth_unsupported:
    'The server asks for a login method that is not supported, or not without TLS. Use TLS (no sslmode=disable), or change the login method of the account.',
  credential_lost: 'The credential cannot be decrypted: its master key was lost. Store it again.',
  credential_missing: 'A credential is missing. Store one, then try again.',
  credential_host_mismatch: 'The credential names another host than the source.',
  database_missing: 'The server has no database of that name.',
  too_many_connections: 'The server has no connection left. Try again later.',
  protocol_invalid: 'The answer is not what such a server sends.',
  assessed_by_probe: 'A probe assesses this source, so it is not scanned from here.',
  no_probe_report: 'No probe has reported on this source. It is not scanned from here.',
  privileged_connections_disabled:
    'This service may not connect to databases. Whoever operates it can switch that on (PARAPET_PRIVILEGED_CONNECTIONS).',
  domain_not_proven: 'The proof of the domain was not found when the scan began. Publish it again.',
  crashed: 'The process that read the answers of the target crashed. If it goes on, report it.',
  out_of_memory: 'The answers of the target took more memory than a scan may use.',
  took_too_long: 'Reading the answers of the target took more time than a scan may use.',
  source_disconnected: 'The source was disconnected.',
  scan_canceled: 'The scan was canceled.',
  retries_exhausted:
    'The scan was tried several times and failed each time. The log of the service has the reason.',
  not_assessed: 'None of this detector’s checks could be assessed.',
  checks_not_assessed: 'Some checks could not be assessed. The source’s page has the reasons.',
  detector_error: 'The detector failed. That is a fault of Parapet: report it.',
  detector_missing: 'This version of Parapet does not have the detector.',
};

/** The cause as a sentence. A code that this version does not know stays a code. */
export function describeCause(cause: string): string {
  return Object.hasOwn(causes, cause) ? causes[cause as RunCause | TestError] : cause;
}
