import { createHash } from 'node:crypto';

/** The first solution, as a browser finds it. */
export function solve(challenge: string, bits: number): number {
  for (let solution = 0; ; solution++) {
    const hash = createHash('sha256').update(`${challenge}.${solution}`).digest();
    if (hash.readUInt32BE(0) >>> (32 - bits) === 0) return solution;
  }
}
