import tls from 'node:tls';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { HandshakeFacts, TlsProtocolSupport, TlsVersion, WeakCiphers } from '../../captures/tls.ts';
import { connectPinned, connectPinnedTls } from '../connection/pinned-connection.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import { certificateChain, endsAt } from './certificate.ts';
import { dhGroupBits } from './dh-group.ts';
import { assess, codeOf, errorCodeOf, reasonFor, SiteDeclines } from './failure.ts';
import { sendsTimestamps } from './timestamps.ts';
import { weakCiphersAccepted } from './weak-ciphers.ts';

const versions: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Level 0 lets OpenSSL offer what it refuses by default: TLS 1.0 and 1.1, SHA-1, short keys. */
const offerEverything = 'DEFAULT@SECLEVEL=0';
/** Node refuses Diffie-Hellman groups of fewer bits. */
const anyGroup = 1;

/**
 * No HTTP is sent over these connections, so servers that support only HTTP/2 show their certificate and protocols too.
 */
const anyHttp = ['h2', 'http/1.1'];

/** Facts from the first handshake, before protocols and ciphers are tested one by one. */
export interface Handshake extends HandshakeFacts {
  /** The stapled OCSP response contains timestamps of certificate transparency logs (RFC 6962, 3.3). */
  readonly staple_has_timestamps: boolean;
}

/** PEM certificates. */
export interface Roots {
  /** Trusted instead of the well-known ones, for sites of a private authority. Empty if there are none. */
  readonly trusted: readonly string[];
  /** Of public authorities, whose certificates must be logged. */
  readonly public: readonly string[];
}

export const noRoots: Roots = { trusted: [], public: [] };

/** Of the extension with timestamps in an OCSP response: 1.3.6.1.4.1.11129.2.4.5 in DER. */
const stapledTimestamps = Buffer.from('060a2b06010401d679020405', 'hex');

/**
 * One handshake that offers everything. The certificate is recorded, not enforced.
 *
 * @throws the connection's error if there is no TLS
 */
export async function firstHandshake(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
  roots: Roots,
): Promise<Handshake> {
  budget.check();
  let staple: Buffer | null = null;
  const socket = await connectPinnedTls(pinned, port, budget.requestSignal(), {
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: offerEverything,
    minDHSize: anyGroup,
    ALPNProtocols: anyHttp,
    trustedRoots: roots.trusted,
    onStaple: response => {
      staple = response;
    },
  });
  try {
    const peer = socket.getPeerCertificate(true);
    // Node reports a name mismatch only for otherwise valid chains, so the name is checked separately.
    const nameError = tls.checkServerIdentity(pinned.hostname, peer);
    const error = socket.authorizationError as unknown as string | Error | undefined | null;
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : error;
    const chain = certificateChain(peer);
    const authorization_error = !code || code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : String(code);
    return {
      negotiated_version: socket.getProtocol() ?? 'unknown',
      negotiated_cipher: socket.getCipher()?.standardName ?? 'unknown',
      chain,
      // Node also reads the common name, which browsers no longer do (RFC 9525, 2).
      hostname_matches: nameError === undefined && chain[0]?.subject_alt_names.length !== 0,
      authorization_error,
      publicly_trusted: authorization_error === null && endsAt(peer, roots.public),
      ...staplingOf(staple),
    };
  } finally {
    socket.destroy();
  }
}

/** A listener sets the response, which the compiler does not see. */
const staplingOf = (staple: Buffer | null) => ({
  stapled: staple !== null && staple.length > 0,
  staple_has_timestamps: staple?.includes(stapledTimestamps) ?? false,
});

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
    await firstHandshake(pinned, port, budget, noRoots);
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
      minDHSize: anyGroup,
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

/** Opens TCP connections for handshakes that are written by hand. */
const connecting = (pinned: PinnedAddress, port: number, budget: Budget) => async () => {
  budget.check();
  return connectPinned(pinned, port, budget.requestSignal());
};

/** Rejects if the server no longer completes a handshake that it completed before: then closed connections are not refusals. */
const confirming = (pinned: PinnedAddress, port: number, budget: Budget) => async () => {
  const reason = await silenceOf(pinned, port, budget);
  if (reason !== undefined) throw new SiteDeclines(reason);
};

const serverName = ({ isAddress, hostname }: PinnedAddress) => (isAddress ? null : hostname);

/** Weak cipher suites that the server accepts: all that are broken, or enough of them as evidence. */
export async function weakCiphers(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
  all: boolean,
): Promise<Assessment<WeakCiphers>> {
  const [connect, confirm] = [connecting(pinned, port, budget), confirming(pinned, port, budget)];
  return assess(weakCiphersAccepted(connect, confirm, serverName(pinned), all));
}

/** Bits of the Diffie-Hellman group that the server uses; null if it uses none. */
export async function dhBits(
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
): Promise<Assessment<number | null>> {
  const chosen = async () => {
    const bits = await dhGroupBits(await connecting(pinned, port, budget)(), serverName(pinned));
    if (bits !== 'closed') return bits;
    await confirming(pinned, port, budget)();
    return null;
  };
  return assess(chosen());
}

/** Timestamps of certificate transparency logs for a certificate that contains none. */
export async function timestampsBeside(
  { staple_has_timestamps }: Handshake,
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
): Promise<Assessment<boolean>> {
  if (staple_has_timestamps) return { assessed: true, value: true };
  const sent = await assess(
    connecting(pinned, port, budget)().then(socket => sendsTimestamps(socket, serverName(pinned))),
  );
  if (!sent.assessed) return sent;
  return sent.value === null
    ? notAssessed('The server supports only TLS 1.3, which encrypts timestamps outside the certificate.')
    : { assessed: true, value: sent.value };
}
