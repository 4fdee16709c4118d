import { hash } from 'node:crypto';

/** The first solution, as a browser finds it. */
export function solve(challenge: string, bits: number): number {
  for (let solution = 0; ; solution++) {
    const start = hash('sha256', `${challenge}.${solution}`).slice(0, 8);
    if (Number.parseInt(start, 16) >>> (32 - bits) === 0) return solution;
  }
}
