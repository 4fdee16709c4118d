import { createHash } from 'node:crypto';
import type { ProofOfWork } from '../../contract/dashboard/session.ts';
import type { PeopleStore } from '../../database/people-store.ts';
import { foldEmail } from '../../resources/people/accounts.ts';
import type { DashboardServices } from '../services.ts';
import { isChallenge, issueChallenge, spendChallenge } from './challenges.ts';

/** Required leading zero bits of the hash: 260,000 hashes on average, a few seconds in a browser. */
const bits = 18;

const purposeOf = (email: string) => `work ${bits} ${foldEmail(email)}`;

/** Challenge for a browser that does not want to wait for the wrong guesses of others. */
export async function askForWork(
  { storage }: DashboardServices,
  email: string,
): Promise<{ challenge: string; bits: number }> {
  return { challenge: await issueChallenge(storage.keyRing, purposeOf(email)), bits };
}

/** Whether this solves a challenge for the address (as in Hashcash). A solution is valid for one attempt. */
export async function isWorkDone(
  { storage }: DashboardServices,
  people: PeopleStore,
  email: string,
  { challenge, solution }: ProofOfWork,
): Promise<boolean> {
  const hash = createHash('sha256').update(`${challenge}.${solution}`).digest();
  if (hash.readUInt32BE(0) >>> (32 - bits) !== 0) return false;
  if (!(await isChallenge(storage.keyRing, purposeOf(email), challenge))) return false;
  return spendChallenge(people, challenge);
}
