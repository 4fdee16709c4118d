import { errorCodeOf } from '../website/failure.ts';
import { type ConnectionErrorCode, ConnectionFailed } from './connection-failed.ts';

/** Finds the code for what the guard, the system, TLS or HTTP had to say. A driver's own errors are for its surface. */
export function connectionErrorCode(error: unknown): ConnectionErrorCode {
  if (error instanceof ConnectionFailed) return error.errorCode;
  const code = errorCodeOf(error);
  if (code === 'http_invalid') return 'protocol_invalid';
  return code === 'https_required' ? 'tls_required' : code;
}
