import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { verifyEd25519 } from '../../src/api/ed25519.ts';
import { canonicalMessage, emptyBodyDigest } from '../../src/contract/canonical-message.ts';
import { median } from './median.ts';

export interface VerificationRates {
  /** Signatures verified per second by one core. */
  readonly libsodium: number;
  readonly nodeCrypto: number;
}

/** The rate at which one core verifies signatures: an upper bound for any server. */
export function measureVerification(rounds: number, roundSeconds: number): VerificationRates {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const message = Buffer.from(
    canonicalMessage({
      method: 'GET',
      pathname: '/api/v1/findings',
      timestamp: '1700000000',
      nonce: 'k3vXc2ZpVt5uJr0gYwq1Bw',
      bodyDigest: emptyBodyDigest,
      tokenId: '00000000-0000-4000-8000-000000000000',
    }),
  );
  const signature = sign(null, message, privateKey);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const libsodium: number[] = [];
  const nodeCrypto: number[] = [];
  for (let round = 0; round < rounds; round++) {
    libsodium.push(rateOf(roundSeconds, () => verifyEd25519(signature, message, raw)));
    nodeCrypto.push(rateOf(roundSeconds, () => verify(null, message, publicKey, signature)));
  }
  return { libsodium: median(libsodium), nodeCrypto: median(nodeCrypto) };
}

function rateOf(seconds: number, work: () => boolean): number {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  while (performance.now() < end) {
    for (let turn = 0; turn < 100; turn++) if (!work()) throw new Error('a valid signature was refused');
    done += 100;
  }
  return done / ((performance.now() - started) / 1000);
}
