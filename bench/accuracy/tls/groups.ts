import { getDiffieHellman } from 'node:crypto';
import { integer, sequence } from '../../../src/main/sample-site/der.ts';

/** DHParameter ::= SEQUENCE { prime INTEGER, base INTEGER } (PKCS #3) */
function parameters(prime: Buffer, base = Buffer.from([2])): string {
  const positive = prime[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), prime]) : prime;
  const text = sequence(integer(positive), integer(base)).toString('base64');
  return `-----BEGIN DH PARAMETERS-----\n${text.replace(/.{64}(?=.)/g, '$&\n')}\n-----END DH PARAMETERS-----\n`;
}

/** Groups of RFC 2409 and RFC 3526 as PEM by their bits. OpenSSL’s servers refuse smaller ones. */
export const groups = {
  1024: parameters(getDiffieHellman('modp2').getPrime()),
  1536: parameters(getDiffieHellman('modp5').getPrime()),
  2048: parameters(getDiffieHellman('modp14').getPrime()),
} as const;
