import type net from 'node:net';
import type { Credential } from '../../contract/sources.ts';
import { isPublicUnicast } from './address.ts';
import { isSameAuthority, parseAuthority } from './authority.ts';
import { type ConnectionErrorCode, ConnectionFailed } from './connection-failed.ts';
import { type Dsn, type DsnForm, parseDsn } from './dsn.ts';
import { connectPinned } from './pinned-connection.ts';
import type { PinnedAddress, TargetGuard } from './target-guard.ts';
import { withTimeLimit } from './time-limit.ts';

export type ConnectionTestResult =
  | { readonly ok: true; readonly latencyMs: number }
  | { readonly ok: false; readonly errorCode: ConnectionErrorCode; readonly latencyMs: number };

export interface ConnectionTestOptions<Type extends Credential['type']> {
  readonly guard: TargetGuard;
  readonly credential: Extract<Credential, { type: Type }>;
  /** Ends the test. A timeout of the target is in the result; an abort by the caller is thrown. */
  readonly signal: AbortSignal;
  /** PEM certificates that are trusted instead of the well-known ones, for servers of a private authority. */
  readonly trustedRoots?: readonly string[];
  readonly budgetMs?: number;
}

/** Milliseconds that a connection test may take, from DNS lookup to the last answer. */
const defaultBudgetMs = 10_000;

/**
 * Runs a collection or a test within a time limit.
 *
 * @param limitMs milliseconds, unless the options have a limit
 * @throws the signal's reason if the caller aborted; ConnectionFailed for every other failure
 */
export async function withinBudget<T>(
  options: { readonly signal: AbortSignal; readonly budgetMs?: number },
  limitMs: number,
  errorCodeOf: (error: unknown) => ConnectionErrorCode,
  collect: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  options.signal.throwIfAborted();
  const limited = withTimeLimit(options.signal, options.budgetMs ?? limitMs);
  try {
    return await collect(limited);
  } catch (error) {
    options.signal.throwIfAborted();
    throw new ConnectionFailed(limited.aborted ? 'timeout' : errorCodeOf(error));
  }
}

/**
 * Runs a test within its time limit and measures it.
 *
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export async function measured(
  options: { readonly signal: AbortSignal; readonly budgetMs?: number },
  errorCodeOf: (error: unknown) => ConnectionErrorCode,
  test: (signal: AbortSignal) => Promise<unknown>,
): Promise<ConnectionTestResult> {
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  try {
    await withinBudget(options, defaultBudgetMs, errorCodeOf, test);
    return { ok: true, latencyMs: latency() };
  } catch (error) {
    if (!(error instanceof ConnectionFailed)) throw error;
    return { ok: false, errorCode: error.errorCode, latencyMs: latency() };
  }
}

/** A connection to a database server before the first message. */
export interface ReachedServer {
  readonly socket: net.Socket;
  readonly pinned: PinnedAddress;
  readonly dsn: Dsn;
  readonly trustedRoots: readonly string[];
}

/** Whether the server is on this machine. To be called before TLS takes the socket over, which then knows no address. */
export const overOf = ({ remoteAddress = '' }: net.Socket): 'loopback' | 'network' =>
  /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress) ? 'loopback' : 'network';

/**
 * Opens a connection to a DSN's host, which must be the source's: a person accepted the risk for that host. A password
 * never crosses a public network unencrypted, even if the DSN allows it; on addresses in the operator's allowlist, the
 * DSN decides.
 *
 * @throws TargetRefused, ConnectionFailed or the system's error
 */
export async function reachServer(
  host: string,
  form: DsnForm,
  options: ConnectionTestOptions<'dsn'>,
  signal: AbortSignal,
): Promise<ReachedServer> {
  const authority = parseAuthority(host, form.defaultPort);
  if (authority === null) throw new ConnectionFailed('invalid_host');
  const dsn = parseDsn(options.credential.dsn, form);
  if (!isSameAuthority(authority, dsn.authority)) throw new ConnectionFailed('credential_host_mismatch');
  const pinned = await options.guard.pin(authority.hostname, signal);
  if (dsn.plaintext && pinned.addresses.some(({ address }) => isPublicUnicast(address))) {
    throw new ConnectionFailed('tls_required');
  }
  const socket = await connectPinned(pinned, authority.port, signal);
  // Between two readers the socket has no listener; the next one finds it closed after such an error.
  socket.on('error', () => {});
  return { socket, pinned, dsn, trustedRoots: options.trustedRoots ?? [] };
}

/** Runs the work with a reached server, and closes the connection. Throws like `reachServer` and the work. */
export async function withServer<T>(
  host: string,
  form: DsnForm,
  options: ConnectionTestOptions<'dsn'>,
  signal: AbortSignal,
  work: (server: ReachedServer) => Promise<T>,
): Promise<T> {
  const server = await reachServer(host, form, options, signal);
  try {
    return await work(server);
  } finally {
    server.socket.destroy();
  }
}
