import type { Socket } from 'node:net';
import { timestampExtension, usualGroups, usualSignatures } from './client-hello.ts';
import { type FirstMessages, firstMessages, messageTypes } from './first-messages.ts';

/** ECDHE with AES-GCM and ChaCha20, and RSA with AES. */
const suites = [0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x9c, 0x2f];

/**
 * Whether a server sends timestamps of certificate transparency logs in an extension of TLS 1.2 (RFC 6962, 3.3.1).
 *
 * @returns null if the answer does not show it: the extension is encrypted in TLS 1.3
 */
export async function sendsTimestamps(socket: Socket, name: string | null): Promise<boolean | null> {
  const offer = { suites, name, groups: usualGroups, signatures: usualSignatures, asksForTimestamps: true };
  const hello = (await firstMessages(socket, offer)).messages.find(isServerHello);
  return hello === undefined ? null : extensionsOf(hello.content).has(timestampExtension);
}

const isServerHello = ({ type }: FirstMessages['messages'][number]) => type === messageTypes.serverHello;

/** Types of extensions: version (2), random (32), session id, suite (2), compression (1), then type, length and data of each. */
function extensionsOf(hello: Buffer): ReadonlySet<number> {
  const types = new Set<number>();
  const start = 35 + (hello[34] ?? 0) + 5;
  for (let at = start; at + 4 <= hello.length; at += 4 + hello.readUInt16BE(at + 2))
    types.add(hello.readUInt16BE(at));
  return types;
}
