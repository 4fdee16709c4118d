import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { connectPinned } from '../connection/pinned-connection.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import type { Budget } from './budget.ts';
import { usualGroups, usualSignatures } from './client-hello.ts';
import { codeOf, errorCodeOf, WebsiteUnreachable } from './failure.ts';
import { firstMessages, type Message, messageTypes } from './first-messages.ts';

/** What a server requires that browsers and scans do not have by default. */
export type HandshakeObstacle = 'client_certificate_required' | 'key_unsupported';

/** ECDHE and RSA with AES, in both modes, which servers of the last fifteen years accept in TLS 1.2. */
const suites = [
  0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc009, 0xc013, 0xc00a, 0xc014, 0x9c, 0x9d, 0x2f, 0x35,
];
/**
 * Includes P-224, P-192 and the Brainpool and Koblitz curves, which OpenSSL no longer offers: a server presents such a
 * key only if its curve is offered.
 */
const allGroups = [...usualGroups, 0x0015, 0x0013, 0x0016, 0x001a, 0x001b, 0x001c];
const allSignatures = [...usualSignatures, 0x0303, 0x0301, 0x0603];

/** Certificate keys that browsers support (CA/Browser Forum, Baseline Requirements, 6.1.5). */
const supportedCurves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Why a server may have refused a handshake, from its first, unencrypted messages of TLS 1.2 (RFC 5246, 7.4). Null if
 * they do not show it.
 */
export async function obstacleOf(socket: Socket, name: string | null): Promise<HandshakeObstacle | null> {
  const offer = { suites, name, groups: allGroups, signatures: allSignatures };
  return judge((await firstMessages(socket, offer)).messages);
}

/** Adds the reason to a refusal, since an alert does not name one that a person could act on. */
export async function explained(
  error: unknown,
  pinned: PinnedAddress,
  port: number,
  budget: Budget,
): Promise<unknown> {
  if (errorCodeOf(error) !== 'tls_failed' || !codeOf(error).includes('ALERT')) return error;
  try {
    budget.check();
    const socket = await connectPinned(pinned, port, budget.requestSignal());
    const obstacle = await obstacleOf(socket, pinned.isAddress ? null : pinned.hostname);
    return obstacle === null ? error : new WebsiteUnreachable(obstacle);
  } catch {
    return error;
  }
}

function judge(messages: readonly Message[]): HandshakeObstacle | null {
  const chain = messages.find(({ type }) => type === messageTypes.certificate)?.content;
  if (chain && hasUnsupportedKey(chain)) return 'key_unsupported';
  return messages.some(({ type }) => type === messageTypes.certificateRequest)
    ? 'client_certificate_required'
    : null;
}

/** @param chain lengths of the list and of its first certificate (3 bytes each), and that certificate */
function hasUnsupportedKey(chain: Buffer): boolean {
  if (chain.length < 6) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(
      chain.subarray(6, 6 + chain.readUIntBE(3, 3)),
    ).publicKey;
    return asymmetricKeyType === 'ec' && !supportedCurves.has(asymmetricKeyDetails?.namedCurve ?? '');
  } catch {
    return false;
  }
}
