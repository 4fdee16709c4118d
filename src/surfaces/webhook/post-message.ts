import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ConnectionErrorCode, ConnectionFailed } from '../connection/connection-failed.ts';
import { connectionErrorCode } from '../connection/failure.ts';
import { connectPinned, connectPinnedTls } from '../connection/pinned-connection.ts';
import type { TargetGuard } from '../connection/target-guard.ts';

/** The answer of an incoming webhook. Nothing else of it is read. */
export type PostOutcome =
  | { readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly errorCode: ConnectionErrorCode };

interface PostOptions {
  readonly guard: TargetGuard;
  readonly userAgent: string;
  readonly trustedRoots?: readonly string[];
  readonly signal: AbortSignal;
}

/** The longest pause that a service may request, in seconds. */
const mostSeconds = 3_600;

/**
 * Posts JSON to an incoming webhook, to a checked address. Redirects are not followed: the URL is a secret. Without TLS only to addresses in
 * the operator’s allowlist. An error of the target is a result.
 */
export async function postMessage(url: string, body: string, options: PostOptions): Promise<PostOutcome> {
  try {
    const socket = await connect(new URL(url), options);
    return await post(socket, new URL(url), body, options);
  } catch (error) {
    if (options.signal.aborted) return { errorCode: 'timeout' };
    return { errorCode: connectionErrorCode(error) };
  }
}

async function connect(
  { protocol, hostname, port }: URL,
  { guard, trustedRoots, signal }: PostOptions,
): Promise<Duplex> {
  const pinned = await guard.pin(hostname, signal);
  if (protocol === 'https:') {
    return connectPinnedTls(pinned, Number(port || 443), signal, {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(trustedRoots ? { trustedRoots } : {}),
    });
  }
  if (!pinned.addresses.every(({ isAllowlisted }) => isAllowlisted))
    throw new ConnectionFailed('tls_required');
  return connectPinned(pinned, Number(port || 80), signal);
}

function post(
  socket: Duplex,
  { host, pathname, search }: URL,
  body: string,
  { userAgent, signal }: PostOptions,
): Promise<PostOutcome> {
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => socket,
      method: 'POST',
      path: pathname + search,
      headers: {
        host,
        'user-agent': userAgent,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      },
      signal,
    });
    sent.on('error', error => {
      socket.destroy();
      reject(error);
    });
    sent.on('response', answer => {
      const { statusCode = 0, headers } = answer;
      const after = Number(headers['retry-after']);
      socket.destroy();
      resolve({
        status: statusCode,
        retryAfterSeconds: after > 0 ? Math.min(mostSeconds, Math.ceil(after)) : null,
      });
    });
    sent.end(body);
  });
}
