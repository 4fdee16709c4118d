import type { Socket } from 'node:net';
import { usualGroups, usualSignatures } from './client-hello.ts';
import { WebsiteUnreachable } from './failure.ts';
import { firstMessages, messageTypes } from './first-messages.ts';

/** Suites with ephemeral Diffie-Hellman keys: RSA and DSS with AES, ChaCha20, Camellia and 3DES. */
const suites = [
  ...[0x9e, 0x9f, 0xccaa, 0x67, 0x6b, 0x33, 0x39, 0x45, 0x88, 0x16],
  ...[0xa2, 0xa3, 0x40, 0x6a, 0x32, 0x38, 0x13],
];
/** Also of DSA keys. */
const signatures = [...usualSignatures, 0x0402, 0x0202];

/**
 * The bits of the Diffie-Hellman group that a server chooses in TLS 1.2 if it is offered nothing else. OpenSSL refuses small groups, so the
 * ClientHello is written by hand.
 *
 * @returns null if the server refused with an alert, or whether it closed the connection
 * @throws why the answer is inconclusive
 */
export async function dhGroupBits(socket: Socket, name: string | null): Promise<number | null | 'closed'> {
  const { messages, refused } = await firstMessages(socket, {
    suites,
    name,
    groups: usualGroups,
    signatures,
  });
  const exchange = messages.find(({ type }) => type === messageTypes.serverKeyExchange)?.content;
  if (exchange !== undefined) return bitsOfPrime(exchange);
  if (refused === null) throw new WebsiteUnreachable('tls_failed');
  return refused === 'alert' ? null : refused;
}

/** ServerDHParams begins with the prime: two bytes of length, then its bytes (RFC 5246, 7.4.3). */
function bitsOfPrime(exchange: Buffer): number {
  const prime = exchange.subarray(2, 2 + (exchange.length < 2 ? 0 : exchange.readUInt16BE(0)));
  const first = prime.findIndex(byte => byte !== 0);
  if (first < 0) throw new WebsiteUnreachable('tls_failed');
  return (prime.length - first - 1) * 8 + (32 - Math.clz32(prime[first]!));
}
