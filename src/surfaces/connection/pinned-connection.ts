import net from 'node:net';
import tls from 'node:tls';
import { type CheckedAddress, type PinnedAddress, refusedAddress } from './target-guard.ts';

/** Errors after which the host's next address is tried. */
const tryNext = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Opens a TCP connection to a checked address, trying one after the other. The socket connects to the address itself,
 * without another DNS lookup.
 *
 * @param signal aborts opening the connection
 * @param lifetime closes the open connection, even during a read; same as `signal` by default
 * @throws the system's error of the last attempt, with its `code`; the signal's reason if aborted; TargetRefused
 */
export async function connectPinned(
  pinned: PinnedAddress,
  port: number,
  signal: AbortSignal,
  lifetime: AbortSignal = signal,
): Promise<net.Socket> {
  return endingWith(lifetime, await open(pinned, port, signal));
}

async function open(pinned: PinnedAddress, port: number, signal: AbortSignal): Promise<net.Socket> {
  let last: unknown;
  for (const checked of pinned.addresses) {
    try {
      if (checked.ports?.includes(port) === false) throw refusedAddress();
      return notOfThisMachine(await connectTo(checked, port, signal), checked);
    } catch (error) {
      last = error;
      if (signal.aborted || !tryNext.has((error as NodeJS.ErrnoException).code ?? '')) break;
    }
  }
  throw last;
}

/** A local route can make any address one of this machine: a connection to it then comes from the same address. */
function notOfThisMachine(socket: net.Socket, { isAllowlisted }: CheckedAddress): net.Socket {
  if (isAllowlisted || socket.localAddress !== socket.remoteAddress) return socket;
  socket.destroy();
  throw refusedAddress();
}

function connectTo(
  { address: host, family }: CheckedAddress,
  port: number,
  signal: AbortSignal,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = net.connect({ host, family, port, noDelay: true });
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners();
      finish();
    };
    const fail = (error: unknown) => {
      // A late error of an abandoned socket must not become an unhandled one.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    // A timeout before the connection is open gets its own code: it usually means a firewall that drops packets.
    const onAbort = () =>
      settle(() => fail(signal.reason?.name === 'TimeoutError' ? connectTimeout() : signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => settle(() => resolve(socket)));
    socket.once('error', error => settle(() => fail(error)));
  });
}

/** Destroys a socket when the signal aborts: otherwise a silent peer would keep its reader waiting. */
function endingWith<S extends net.Socket>(lifetime: AbortSignal, socket: S): S {
  // Deferred: TLS over this socket has to end first, or Node 20 may crash with a segmentation fault.
  const end = () => setImmediate(() => socket.destroy(lifetime.reason));
  // An error without a listener would end the process.
  socket.on('error', () => {});
  lifetime.addEventListener('abort', end, { once: true });
  socket.once('close', () => lifetime.removeEventListener('abort', end));
  if (lifetime.aborted) end();
  return socket;
}

function connectTimeout(): Error {
  return Object.assign(new Error('The connection was not answered in time'), { code: 'CONNECT_TIMEOUT' });
}

export interface PinnedTlsOptions {
  /** Fail unless the certificate is trusted and covers the host. Disabled for captures. */
  readonly rejectUnauthorized: boolean;
  /** PEM certificates that are trusted instead of the well-known ones. */
  readonly trustedRoots?: readonly string[];
  readonly minVersion?: tls.SecureVersion;
  readonly maxVersion?: tls.SecureVersion;
  readonly ciphers?: string;
  /** Bits of the smallest Diffie-Hellman group that is accepted; 1,024 by default. */
  readonly minDHSize?: number;
  /** Requests a stapled OCSP response, and is called with it, or with null if the server sends none. */
  readonly onStaple?: (response: Buffer | null) => void;
  /** HTTP/1.1 by default, which is the protocol used over the connection. */
  readonly ALPNProtocols?: readonly string[];
  /** See `connectPinned`. */
  readonly lifetime?: AbortSignal;
}

/**
 * Opens a TLS connection to a checked address. SNI and the certificate's name check use the host's name.
 *
 * @throws the system's or OpenSSL's error with its `code`; the signal's reason if aborted; TargetRefused
 */
export async function connectPinnedTls(
  pinned: PinnedAddress,
  port: number,
  signal: AbortSignal,
  options: PinnedTlsOptions,
): Promise<tls.TLSSocket> {
  const raw = await open(pinned, port, signal);
  return new Promise((resolve, reject) => {
    const { trustedRoots, lifetime = signal, ALPNProtocols = ['http/1.1'], onStaple, ...rest } = options;
    let socket: tls.TLSSocket;
    try {
      socket = tls.connect({
        socket: raw,
        // RFC 6066 allows only names in SNI; the certificate check below still uses the address.
        servername: pinned.isAddress ? '' : pinned.hostname,
        checkServerIdentity: (_, certificate) => tls.checkServerIdentity(pinned.hostname, certificate),
        ALPNProtocols: [...ALPNProtocols],
        ...(trustedRoots?.length ? { ca: [...trustedRoots] } : {}),
        ...(onStaple ? { requestOCSP: true } : {}),
        ...rest,
      });
    } catch (error) {
      raw.destroy();
      return reject(error);
    }
    if (onStaple) socket.once('OCSPResponse', onStaple);
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners('secureConnect').removeAllListeners('error').removeAllListeners('close');
      finish();
    };
    const fail = (error: unknown) => {
      socket.on('error', () => {});
      socket.destroy();
      raw.destroy();
      reject(error);
    };
    const onAbort = () => settle(() => fail(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('secureConnect', () => settle(() => resolve(endingWith(lifetime, socket))));
    socket.once('error', error => settle(() => fail(error)));
    socket.once('close', () => settle(() => fail(closedInHandshake())));
  });
}

function closedInHandshake(): Error {
  return Object.assign(new Error('The connection was closed during the TLS handshake'), {
    code: 'ECONNRESET',
  });
}
