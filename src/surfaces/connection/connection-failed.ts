import type { WebsiteErrorCode } from '../website/failure.ts';

/** Why a database or its API could not be reached or used, as causes that a person can fix. */
export type ConnectionErrorCode =
  | Exclude<WebsiteErrorCode, 'http_invalid' | 'https_required'>
  | 'credential_missing'
  | 'credential_host_mismatch'
  | 'tls_required'
  | 'tls_not_offered'
  | 'auth_unsupported'
  | 'database_missing'
  | 'too_many_connections'
  | 'protocol_invalid';

/** A failed connection. The message is the code, without data of the target or the credential. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
  readonly errorCode: ConnectionErrorCode;
  constructor(errorCode: ConnectionErrorCode) {
    super(errorCode);
    this.errorCode = errorCode;
  }
}
