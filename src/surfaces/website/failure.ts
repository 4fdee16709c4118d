import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { TargetRefused } from '../connection/target-guard.ts';
import { BudgetSpent } from './budget.ts';
import type { Coverage } from './coverage.ts';

/** Why a website could not be reached or used, as causes that a person can fix. */
export type WebsiteErrorCode =
  | 'dns_failed'
  | 'refused_private_address'
  | 'invalid_host'
  | 'invalid_credential'
  | 'connection_refused'
  | 'connection_failed'
  | 'timeout'
  | 'tls_untrusted'
  | 'tls_failed'
  | 'http2_only'
  | 'client_certificate_required'
  | 'key_unsupported'
  | 'http_invalid'
  | 'http_error'
  | 'auth_failed'
  | 'https_required';

const sentences: Record<WebsiteErrorCode, string> = {
  dns_failed: 'The host name could not be resolved.',
  refused_private_address: 'The host has an address that is not public and not allowed.',
  invalid_host: 'The host is not a valid name or address.',
  invalid_credential: 'The credential cannot be sent as an HTTP header.',
  connection_refused: 'The connection was refused.',
  connection_failed: 'The connection failed or was closed.',
  timeout: 'The server did not answer in time.',
  tls_untrusted: 'The certificate is not trusted or does not cover the host.',
  tls_failed: 'No TLS connection could be made.',
  http2_only: 'The server supports only HTTP/2, which scans do not.',
  client_certificate_required: 'The server requires a client certificate.',
  key_unsupported: 'The certificate has a key on a curve that browsers and scans do not support.',
  http_invalid: 'The answer is not valid HTTP or exceeds a limit.',
  http_error: 'The server answers with an error.',
  auth_failed: 'The server refuses the credential.',
  https_required:
    'A credential is sent over HTTPS only, unless the address of the source begins with http://.',
};

/** Nothing was served over HTTPS or HTTP. The message contains nothing from the target. */
export class WebsiteUnreachable extends Error {
  override readonly name = 'WebsiteUnreachable';
  readonly errorCode: WebsiteErrorCode;
  constructor(errorCode: WebsiteErrorCode) {
    super(sentences[errorCode]);
    this.errorCode = errorCode;
  }
}

/** The site declines requests: a path by its robots.txt, or all further ones by its responses. */
export class SiteDeclines extends Error {
  override readonly name = 'SiteDeclines';
}

const notCovered: Partial<Record<Coverage, string>> = {
  if_trusted: 'A TXT record covers HTTPS with a trusted certificate only. Fix the certificate.',
  by_file: 'A TXT record does not cover plain HTTP. Publish the file of the proof too.',
};

/** A request that only full scans send, at a place that the proof does not cover. */
export class NotCovered extends Error {
  override readonly name = 'NotCovered';
  constructor(coverage: Coverage) {
    super(notCovered[coverage] ?? 'The proof of the domain does not cover this host and port.');
  }
}

/** The target has more of something than a scan reads. The message names it. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
}

const byCode: Readonly<Record<string, WebsiteErrorCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_failed',
  EPIPE: 'connection_failed',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  EADDRNOTAVAIL: 'connection_failed',
  UND_ERR_SOCKET: 'connection_failed',
  UND_ERR_ABORTED: 'timeout',
  CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'http_invalid',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'http_invalid',
  UND_ERR_INVALID_ARG: 'invalid_credential',
  EPROTO: 'tls_failed',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'http2_only',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'client_certificate_required',
  CERT_HAS_EXPIRED: 'tls_untrusted',
  CERT_NOT_YET_VALID: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_SIGNATURE_FAILURE: 'tls_untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_untrusted',
};

/** The code for an error of a connection or an HTTP exchange. */
export function errorCodeOf(error: unknown): WebsiteErrorCode {
  if (error instanceof TargetRefused || error instanceof WebsiteUnreachable) return error.errorCode;
  if (error instanceof BudgetSpent) return 'timeout';
  if (error instanceof LimitReached) return 'http_invalid';
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  const text = typeof code === 'string' ? code : '';
  // A database driver passes on its server's error codes.
  if (Object.hasOwn(byCode, text)) return byCode[text]!;
  if (name === 'HTTPParserError' || text.startsWith('HPE_')) return 'http_invalid';
  // With certificate verification, OpenSSL's results are codes of their own.
  if (/CERT|CRL|ISSUER|CHAIN|_CA$|HOSTNAME_MISMATCH/.test(text)) return 'tls_untrusted';
  if (text.startsWith('ERR_SSL') || text.startsWith('ERR_TLS')) return 'tls_failed';
  return 'connection_failed';
}

/** Whether the host or the network refused the connection. */
export function isRefused(error: unknown): boolean {
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].includes(codeOf(error));
}

/** Whether the other side closed the connection after it was open. */
export function isClosed(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));
}

/** Whether a retry may succeed: the other side closed the connection, or did not answer in time. */
export function isMomentary(error: unknown): boolean {
  if (error instanceof BudgetSpent) return false;
  const isLate = (error as { name?: unknown } | null)?.name === 'TimeoutError';
  return isLate || isClosed(error) || momentary.includes(codeOf(error));
}

const momentary = [
  ...['CONNECT_TIMEOUT', 'ETIMEDOUT', 'UND_ERR_ABORTED'],
  ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
];

/** The code of an error of the system, of Node or of the client; empty if it has none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}

/** The result of an attempt, or one sentence about why it failed. */
export async function assess<T>(attempt: Promise<T>): Promise<Assessment<T>> {
  try {
    return { assessed: true, value: await attempt };
  } catch (error) {
    return notAssessed(reasonFor(error));
  }
}

/** One sentence about an error, without text of the target or the operating system. */
export function reasonFor(error: unknown): string {
  const isOurs =
    error instanceof Error &&
    [BudgetSpent, SiteDeclines, NotCovered, LimitReached].some(kind => error instanceof kind);
  return isOurs ? error.message : sentences[errorCodeOf(error)];
}
