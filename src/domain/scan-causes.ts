/**
 * Why a target could not be reached or read, by its code, in words for people that say what to do. A sandbox process answers
 * with these codes and no others.
 */
const connectionCauses = {
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
  tls_not_offered: 'The server does not offer TLS, and a credential is sent over TLS only.',
  http_invalid: 'The answer is not valid HTTP or exceeds a limit.',
  http_error: 'The server answers with an error.',
  https_required: 'A credential is sent over HTTPS only.',
  auth_failed: 'The server refuses the credential. Store the current one.',
  auth_unsupported:
    'The server asks for a login method that is not supported, or not without TLS. Use TLS (no sslmode=disable), or change the login method of the account.',
  credential_missing: 'A credential is missing. Store one, then try again.',
  credential_host_mismatch: 'The credential names another host than the source.',
  database_missing: 'The server has no database of that name.',
  too_many_connections: 'The server has no connection left. Try again later.',
  protocol_invalid: 'The answer is not what such a server sends.',
} as const;

export type ConnectionCause = keyof typeof connectionCauses;

export const connectionCauseCodes = Object.keys(connectionCauses) as ConnectionCause[];

/** Why a connection or a run came to nothing: all codes of a connection test and of the runs of a scan. */
const causes: Readonly<Record<string, string>> = {
  ...connectionCauses,
  assessed_by_probe: 'A probe assesses this source: there is no connection of ours to test.',
  privileged_connections_disabled:
    'This service may not connect to databases. Whoever operates it can switch that on (PARAPET_PRIVILEGED_CONNECTIONS).',
  domain_not_proven: 'The proof of the domain was not found when the scan began. Publish it again.',
  crashed: 'The process that read the answers of the target crashed. If it goes on, report it.',
  out_of_memory: 'The answers of the target took more memory than a scan may use.',
  took_too_long: 'Reading the answers of the target took more time than a scan may use.',
  not_assessed: 'Nothing that this detector looks at could be read.',
  detector_error: 'The detector failed. That is a fault of Parapet: report it.',
  detector_missing: 'This version of Parapet does not have the detector.',
};

/** A sentence for a cause. Causes that are words already are returned as a sentence. */
export function describeCause(cause: string): string {
  if (Object.hasOwn(causes, cause)) return causes[cause]!;
  const sentence = cause.charAt(0).toUpperCase() + cause.slice(1).replaceAll('_', ' ');
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
