import type { ConnectionErrorCode } from '../connection/connection-failed.ts';
import type { RefusedCommand } from './replies.ts';

/** First words of errors: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
const byCode: Readonly<Record<string, ConnectionErrorCode>> = {
  NOAUTH: 'auth_failed',
  WRONGPASS: 'auth_failed',
  NOPERM: 'auth_failed',
  // Protected mode: without a password, only connections from the server's own machine are accepted.
  DENIED: 'auth_failed',
};

/** The code for a command without whose answer nothing else can be asked. */
export function errorCodeOfRefusal(
  { code, text }: RefusedCommand,
  other: ConnectionErrorCode,
): ConnectionErrorCode {
  if (/max(?:imum)? number of clients/i.test(text)) return 'too_many_connections';
  return byCode[code] ?? other;
}
