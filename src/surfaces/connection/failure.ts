import { errorCodeOf } from '../website/failure.ts';
import { type ConnectionErrorCode, ConnectionFailed } from './connection-failed.ts';

/** The code for an error of the guard, the system, TLS or HTTP. Each surface handles its driver's own errors. */
export function connectionErrorCode(error: unknown): ConnectionErrorCode {
  if (error instanceof ConnectionFailed) return error.errorCode;
  const code = errorCodeOf(error);
  if (code === 'http_invalid') return 'protocol_invalid';
  return code === 'https_required' ? 'tls_required' : code;
}
