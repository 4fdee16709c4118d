import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { connectPinned } from '../connection/pinned-connection.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import type { Budget } from './budget.ts';
import { clientHello, usualGroups, usualSignatures } from './client-hello.ts';
import { codeOf, errorCodeOf, WebsiteUnreachable } from './failure.ts';

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

/** Bytes of the server's first messages: a certificate chain has a few kilobytes. */
const mostBytes = 64 * 1024;
/** Each part causes all received bytes to be read again, and a server could send single bytes. */
const mostParts = 200;

const [alert, handshake] = [0x15, 0x16];
const [certificate, certificateRequest, serverHelloDone] = [11, 13, 14];

/**
 * Why a server may have refused a handshake, from its first, unencrypted messages of TLS 1.2 (RFC 5246, 7.4). Null if
 * they do not show it.
 */
export async function obstacleOf(socket: Socket, name: string | null): Promise<HandshakeObstacle | null> {
  socket.on('error', () => {});
  let received = Buffer.alloc(0);
  try {
    let parts = 0;
    socket.write(clientHello({ suites, name, groups: allGroups, signatures: allSignatures }));
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      const { messages, ended } = readMessages(received);
      parts += 1;
      if (ended || received.length > mostBytes || parts === mostParts) return judge(messages);
    }
  } catch {
    // The messages before the error are either sufficient or show nothing.
  } finally {
    socket.destroy();
  }
  return judge(readMessages(received).messages);
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

interface Message {
  readonly type: number;
  readonly content: Buffer;
}

/** The handshake messages in complete records, and whether the server waits for an answer. */
function readMessages(bytes: Buffer): { readonly messages: Message[]; readonly ended: boolean } {
  const parts: Buffer[] = [];
  let ended = false;
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (end > bytes.length) break;
    if (bytes[at] === handshake) parts.push(bytes.subarray(at + 5, end));
    else ended = true;
    if (bytes[at] === alert && bytes[at + 5] === 1) ended = false;
    at = end;
  }
  const stream = Buffer.concat(parts);
  const messages: Message[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUIntBE(at + 1, 3);
    if (end > stream.length) break;
    messages.push({ type: stream[at]!, content: stream.subarray(at + 4, end) });
    at = end;
  }
  return { messages, ended: ended || messages.some(({ type }) => type === serverHelloDone) };
}

function judge(messages: readonly Message[]): HandshakeObstacle | null {
  const chain = messages.find(({ type }) => type === certificate)?.content;
  if (chain && hasUnsupportedKey(chain)) return 'key_unsupported';
  return messages.some(({ type }) => type === certificateRequest) ? 'client_certificate_required' : null;
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
