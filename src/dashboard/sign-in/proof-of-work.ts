import { createHash } from 'node:crypto';
import type { ProofOfWork } from '../../contract/dashboard/session.ts';
import type { PeopleStore } from '../../database/people-store.ts';
import { foldEmail } from '../../resources/people/accounts.ts';
import type { DashboardServices } from '../services.ts';
import { isChallenge, issueChallenge, spendChallenge } from './challenges.ts';

/** Leading zero bits that the hash must have: 260,000 hashes on average, some seconds for a browser. */
const bits = 18;

const purposeOf = (email: string) => `work ${bits} ${foldEmail(email)}`;

/** What a browser has to find so that it does not wait for the wrong guesses of others. */
export async function askForWork(
  { storage }: DashboardServices,
  email: string,
): Promise<{ challenge: string; bits: number }> {
  return { challenge: await issueChallenge(storage.keyRing, purposeOf(email)), bits };
}

/** Whether it is a solution of a challenge for this address (as in Hashcash). It is worth one attempt. */
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
