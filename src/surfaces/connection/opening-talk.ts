import type net from 'node:net';
import tls from 'node:tls';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';
import { ConnectionFailed } from './connection-failed.ts';
import type { PinnedAddress } from './target-guard.ts';

/**
 * Reads until the received bytes contain an answer, then pauses the socket.
 *
 * @param take returns the answer, or undefined while bytes are missing; it may throw
 * @throws what `take` throws; ConnectionFailed if the server closes the connection before; the signal's reason if
 * aborted
 */
export function readAnswer<T>(
  socket: net.Socket,
  signal: AbortSignal,
  take: (received: Buffer) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const received = new GrowingBuffer();
    const settle = (finish: () => void) => {
      socket.pause();
      socket.off('data', onData).off('error', onError).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => {
      const code = received.bytes.length === 0 ? 'connection_failed' : 'protocol_invalid';
      settle(() => reject(new ConnectionFailed(code)));
    };
    const onData = (bytes: Buffer) => {
      received.append(bytes);
      try {
        const answer = take(received.bytes);
        if (answer !== undefined) settle(() => resolve(answer));
      } catch (error) {
        settle(() => reject(error));
      }
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('data', onData).on('error', onError).on('close', onClose);
    if (socket.destroyed) onClose();
    else socket.resume();
  });
}

/**
 * Starts TLS on a connection where it was negotiated. The certificate must be trusted and cover the host's name.
 *
 * @throws OpenSSL's or the system's error with its `code`; the signal's reason if aborted
 */
export function secure(
  raw: net.Socket,
  { pinned, trustedRoots }: { readonly pinned: PinnedAddress; readonly trustedRoots: readonly string[] },
  signal: AbortSignal,
): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = tls.connect({
      socket: raw,
      // RFC 6066 allows only names in SNI; the certificate check below still uses the address.
      servername: pinned.isAddress ? '' : pinned.hostname,
      checkServerIdentity: (_, certificate) => tls.checkServerIdentity(pinned.hostname, certificate),
      // Explicit, so that an environment variable does not disable verification.
      rejectUnauthorized: true,
      ...(trustedRoots.length > 0 ? { ca: [...trustedRoots] } : {}),
    });
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.off('secureConnect', onSecure).off('error', onError).off('close', onClose);
      socket.on('error', () => {});
      finish();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    const onSecure = () => settle(() => resolve(socket));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new ConnectionFailed('connection_failed')));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('secureConnect', onSecure).once('error', onError).once('close', onClose);
  });
}
