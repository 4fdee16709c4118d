import { getDiffieHellman } from 'node:crypto';
import { integer, sequence } from '../../src/main/sample-site/der.ts';

/**
 * A known group as PEM: DHParameter ::= SEQUENCE { prime INTEGER, base INTEGER } (PKCS #3). OpenSSL’s servers refuse groups of less than
 * 1,024 bits.
 *
 * @param group of RFC 2409 or RFC 3526, such as `modp2` with 1,024 bits
 */
export function dhParameters(group: string): string {
  const prime = getDiffieHellman(group).getPrime();
  const der = sequence(integer(Buffer.concat([Buffer.from([0]), prime])), integer(Buffer.from([2])));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN DH PARAMETERS-----\n${lines.join('\n')}\n-----END DH PARAMETERS-----\n`;
}
