import type { RunCause, TestError } from '../contract/causes.ts';
import type { RunStatus } from '../contract/scans.ts';
import type { ConnectionMode, SourceKind } from '../contract/sources.ts';

/** What happened, and what to do, in one sentence or two each. */
export interface Explanation {
  readonly what: string;
  readonly fix: string;
}
type Texts = readonly [what: string, fix: string];
type Code = RunCause | TestError;

const causes: Readonly<Record<Code, Texts>> = {
  dns_failed: ['The host name could not be resolved.', 'Check its spelling and its DNS records.'],
  refused_private_address: [
    'The host resolves to a non-public address or to the machine that runs Parapet.',
    'The operator can allow it with PARAPET_TARGET_ALLOWLIST.',
  ],
  invalid_host: [
    'The host is not a valid host name or IP address.',
    'Add the source again with a valid host, and disconnect this one.',
  ],
  invalid_credential: ['The credential is not valid for this source.', 'Store it again.'],
  connection_refused: [
    'The server refused the connection.',
    'Check that it is running, and check its firewall.',
  ],
  connection_failed: ['The connection failed or was closed.', 'Check the server and the network.'],
  timeout: [
    'The server did not answer in time.',
    'Try again. If the problem persists, check for a firewall that drops traffic.',
  ],
  tls_untrusted: [
    'The certificate is not trusted or does not match the host.',
    'Install a certificate of a public authority for this host, or correct the host of the source.',
  ],
  tls_failed: [
    'The TLS handshake failed.',
    'Check that the port serves TLS 1.2 or 1.3 with a complete certificate chain.',
  ],
  tls_required: [
    'Credentials are sent over TLS only, but the connection is configured without TLS.',
    'Store the credential again with TLS.',
  ],
  http2_only: ['The server supports only HTTP/2.', 'Enable HTTP/1.1 for scans.'],
  client_certificate_required: [
    'The server requires a client certificate, which scans do not support.',
    'Scan it at an address that does not require one.',
  ],
  key_unsupported: [
    'The certificate key uses a curve that browsers and scans do not support.',
    'Use P-256 or RSA.',
  ],
  tls_not_offered: [
    'The server does not support TLS. Credentials are sent over TLS only.',
    'Enable TLS on the server, and check the port.',
  ],
  http_invalid: [
    'The answer is not valid HTTP or exceeds a limit.',
    'Check that the port is that of the website, and the headers that it sends.',
  ],
  http_error: [
    'The server answered with an error.',
    'Check the log of the server and the URL of the source, then try again.',
  ],
  https_required: [
    'Credentials are sent over HTTPS only, unless the host of the source starts with http://.',
    'Enable HTTPS, or add the source again with http://.',
  ],
  auth_failed: [
    'The server rejected the credential.',
    'Store a valid one, or permit its login on the server: PostgreSQL by pg_hba.conf, LOGIN and CONNECT, MySQL by the host of the account, Redis by the state of the user and protected mode.',
  ],
  auth_unsupported: [
    'The server requires a login method that is not supported, or only over TLS.',
    'Use TLS (remove sslmode=disable), or change the login method of the account.',
  ],
  credential_lost: ['The credential cannot be decrypted because its master key is lost.', 'Store it again.'],
  credential_missing: ['No credential is stored.', 'Store one, then try again.'],
  credential_host_mismatch: [
    'The host in the credential does not match the source.',
    'Store a credential with the host and port of the source.',
  ],
  database_missing: [
    'The database does not exist on the server.',
    'Store a credential with an existing database.',
  ],
  too_many_connections: [
    'The server, or the limit of the user, permits no more connections.',
    'Try again later, or raise the limit.',
  ],
  protocol_invalid: ['The server sent an unexpected answer.', 'Check the host and the port.'],
  assessed_by_probe: [
    'A probe assesses this source. Parapet does not connect to it.',
    'Open the page of the source for the report of the probe.',
  ],
  no_probe_report: ['No probe reports on this source.', 'Add it to the configuration of a probe.'],
  privileged_connections_disabled: [
    'Database connections are off.',
    'The operator can turn them on with PARAPET_PRIVILEGED_CONNECTIONS.',
  ],
  domain_not_proven: ['The domain proof was not found when the scan started.', 'Publish it again.'],
  crashed: ['The scan process crashed.', 'If the problem persists, report it.'],
  out_of_memory: [
    'The answers of the target exceeded the memory limit of a scan.',
    'Try again. The operator can raise the limit with PARAPET_SCAN_MEMORY.',
  ],
  took_too_long: [
    'The answers of the target exceeded the time limit of a scan.',
    'Try again when the target is less busy.',
  ],
  source_disconnected: ['The source was disconnected.', 'Add it again to scan it.'],
  scan_canceled: ['The scan was canceled.', 'Start another one.'],
  retries_exhausted: ['The scan failed on every attempt.', 'See the log of the service for the reason.'],
  report_incomplete: [
    'The probe did not send all results of this assessment.',
    'The next assessment replaces it. If the problem persists, check the log of the probe.',
  ],
  not_assessed: ['No check of this detector could be assessed.', 'The page of the source shows the reasons.'],
  checks_not_assessed: ['Some checks could not be assessed.', 'The page of the source shows the reasons.'],
  detector_error: ['The detector failed because of a bug in Parapet.', 'Report it.'],
  detector_missing: [
    'This version of Parapet does not have the detector.',
    'Upgrade all nodes to the same release.',
  ],
};

/** The same where the kind of the source decides what to do. */
const kindCauses: Readonly<Record<SourceKind, Partial<typeof causes>>> = {
  website: {
    auth_failed: [
      'The website rejected the credential.',
      'Store a valid one, or permit its user to open the page of the source.',
    ],
  },
  postgres: {
    auth_failed: [
      'The server rejected the role or its password.',
      'Store a valid credential, and permit its login: a rule in pg_hba.conf, LOGIN and CONNECT.',
    ],
  },
  mysql: {
    auth_failed: [
      'The server rejected the account or its password.',
      'Store a valid credential, and check that the host of the account includes the address of Parapet.',
    ],
  },
  redis: {
    auth_failed: [
      'The server rejected the user or the password, or protected mode refuses other machines.',
      'Store a valid credential, enable the user with ACL SETUSER, and set a password for the default user to leave protected mode.',
    ],
    timeout: [
      'The server did not answer in time.',
      'Check that the port and the scheme match: rediss:// for a TLS port, redis:// for one without TLS. Then check for a firewall that drops traffic.',
    ],
  },
  supabase: {
    auth_failed: [
      'The project rejected the key.',
      'Store a valid service_role or secret key of this project.',
    ],
  },
};

/** The same where a probe connects: what has to be changed is in its configuration. */
const probeCauses: Partial<typeof causes> = {
  dns_failed: [
    "The probe's host could not resolve the name of the target.",
    'Check its spelling and the DNS records.',
  ],
  refused_private_address: [
    'The target leads to an address that the probe may not connect to.',
    'Add its network to `networks` in the configuration of the probe.',
  ],
  invalid_credential: [
    'The login in the configuration of the probe is not valid for this kind of target.',
    'Correct the login of the target.',
  ],
  auth_failed: [
    'The server rejected the login of the probe.',
    'Check the user and the password in the configuration of the probe, and whether the server permits this login: PostgreSQL by pg_hba.conf, LOGIN and CONNECT, MySQL by the host of the account, Redis by the state of the user and protected mode.',
  ],
  auth_unsupported: [
    'The server requires a login method that is not supported, or only over TLS.',
    'Set `tls: on` in the configuration of the probe, or change the login method of the account.',
  ],
  tls_untrusted: [
    'The certificate is not trusted or does not match the host.',
    'Set `ca_file` in the configuration of the probe, or use the name in the certificate as `host`.',
  ],
  tls_not_offered: [
    'The server does not support TLS.',
    'Enable it there. In a trusted network, set `tls: off` in the configuration of the probe instead.',
  ],
  credential_missing: [
    'The probe could not read the password.',
    'Its log names the reason. After exporting an environment variable, restart the probe.',
  ],
};

/**
 * Returns an unknown code, such as one of another version, as what happened.
 *
 * @param connection who connects to the source
 */
export function explainCause(
  cause: string,
  connection: ConnectionMode = 'direct',
  kind?: SourceKind,
): Explanation {
  if (!Object.hasOwn(causes, cause)) return { what: cause, fix: '' };
  const code = cause as Code;
  const special = connection === 'probe' ? probeCauses[code] : kind && kindCauses[kind][code];
  const [what, fix] = special ?? causes[code];
  return { what, fix };
}

/** The explanation as one text. */
export function describeCause(cause: string, connection?: ConnectionMode, kind?: SourceKind): string {
  const { what, fix } = explainCause(cause, connection, kind);
  return fix === '' ? what : `${what} ${fix}`;
}

/**
 * The causes for which a scan assessed nothing of a source, in words; undefined if it assessed something. None if each check has its own reason.
 *
 * @param runs of the source in the scan, the most frequent cause first
 */
export function whyNothingAssessed(
  runs: readonly { readonly status: RunStatus; readonly cause: string | null }[],
  connection: ConnectionMode,
  kind?: SourceKind,
): string[] | undefined {
  const failed = runs.filter(({ status }) => status === 'failed');
  if (failed.length === 0 || runs.some(({ status }) => status !== 'failed' && status !== 'skipped'))
    return undefined;
  const found = new Set(failed.flatMap(({ cause }) => (cause && cause !== 'not_assessed' ? [cause] : [])));
  return [...found].map(cause => describeCause(cause, connection, kind));
}
