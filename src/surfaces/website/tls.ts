import tls from 'node:tls';
import type { Assessment } from '../../captures/assessment.ts';
import type { TlsFacts, TlsProtocolSupport, TlsVersion, WeakCiphers } from '../../captures/website.ts';
import { connectPinned, connectPinnedTls } from '../connection/pinned-connection.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import { certificateChain } from './certificate.ts';
import { assess, codeOf, errorCodeOf, reasonFor, SiteDeclines } from './failure.ts';
import { weakCiphersAccepted } from './weak-ciphers.ts';

const versions: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Level 0 lets OpenSSL offer what it refuses by default: TLS 1.0 and 1.1, SHA-1, short keys. */
const offerEverything = 'DEFAULT@SECLEVEL=0';

/**
 * No HTTP is sent over these connections, so servers that support only HTTP/2 show their certificate and protocols too.
 */
const anyHttp = ['h2', 'http/1.1'];

/** Facts from the first handshake, before protocols and ciphers are tested one by one. */
export type Handshake = Omit<TlsFacts, 'protocols' | 'weak_ciphers'>;

/**
 * One handshake that offers everything. The certificate is recorded, not enforced.
 *
 * @throws the connection's error if there is no TLS
 */
export async function firstHandshake(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
  trustedRoots: readonly string[],
): Promise<Handshake> {
  budget.check();
  const socket = await connectPinnedTls(pinned, port, budget.requestSignal(), {
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: offerEverything,
    ALPNProtocols: anyHttp,
    trustedRoots,
  });
  try {
    const peer = socket.getPeerCertificate(true);
    // Node reports a name mismatch only for otherwise valid chains, so the name is checked separately.
    const nameError = tls.checkServerIdentity(pinned.hostname, peer);
    const error = socket.authorizationError as unknown as string | Error | undefined | null;
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : error;
    return {
      negotiated_version: socket.getProtocol() ?? 'unknown',
      negotiated_cipher: socket.getCipher()?.standardName ?? 'unknown',
      chain: certificateChain(peer),
      hostname_matches: nameError === undefined,
      authorization_error: !code || code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : String(code),
    };
  } finally {
    socket.destroy();
  }
}

/** Tests one protocol version after the other, each on its own connection. */
export async function protocolSupport(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
  negotiated: string,
): Promise<TlsProtocolSupport[]> {
  const found: (TlsProtocolSupport & { readonly isUnclear?: boolean })[] = [];
  for (const version of versions) {
    if (version === negotiated) found.push({ version, support: 'accepted' });
    else found.push(await askForVersion(pinned, port, budget, version));
  }
  const reason = found.some(({ isUnclear }) => isUnclear) ? await silenceOf(pinned, port, budget) : undefined;
  return found.map(({ isUnclear, ...known }) =>
    isUnclear && reason !== undefined ? { version: known.version, support: 'not_assessed', reason } : known,
  );
}

/** Why a handshake like the first one now fails; if it does, earlier failures were not refusals of their offers. */
async function silenceOf(pinned: PinnedAddress, port: number, budget: Budget): Promise<string | undefined> {
  try {
    await firstHandshake(pinned, port, budget, []);
    return undefined;
  } catch (error) {
    const isOver = error instanceof BudgetSpent;
    return isOver ? error.message : 'The server stopped answering TLS handshakes during the scan.';
  }
}

async function askForVersion(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
  version: TlsVersion,
): Promise<TlsProtocolSupport & { readonly isUnclear?: boolean }> {
  try {
    budget.check();
    const socket = await connectPinnedTls(pinned, port, budget.requestSignal(), {
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ciphers: offerEverything,
      ALPNProtocols: anyHttp,
    });
    socket.destroy();
    return { version, support: 'accepted' };
  } catch (error) {
    return isRefusal(error)
      ? { version, support: 'refused', isUnclear: !isSaid(error) }
      : { version, support: 'not_assessed', reason: reasonFor(error) };
  }
}

/** The server refused the offer: by an alert, by another version, or by closing right away. */
function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  // These errors are local: the offer could not be sent.
  if (code === 'ERR_SSL_NO_PROTOCOLS_AVAILABLE' || code === 'ERR_SSL_NO_CIPHERS_AVAILABLE') return false;
  return code === 'ECONNRESET' || errorCodeOf(error) === 'tls_failed';
}

/** By an alert or another version. A firewall that blocks the scan also closes and resets connections. */
const isSaid = (error: unknown) => /ALERT|UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION/.test(codeOf(error));

/** Weak cipher suites that the server accepts: all that are broken, or enough of them as evidence. */
export async function weakCiphers(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
  all: boolean,
): Promise<Assessment<WeakCiphers>> {
  const connect = async () => {
    budget.check();
    return connectPinned(pinned, port, budget.requestSignal());
  };
  const confirm = async () => {
    const reason = await silenceOf(pinned, port, budget);
    if (reason !== undefined) throw new SiteDeclines(reason);
  };
  return assess(weakCiphersAccepted(connect, confirm, pinned.isAddress ? null : pinned.hostname, all));
}
