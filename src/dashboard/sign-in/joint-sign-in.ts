import type { FastifyRequest } from 'fastify';
import type { FactorCode } from '../../contract/dashboard/session.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { spendBackupCode } from '../../resources/people/backup-codes.ts';
import { stampOfCodes } from '../../resources/people/second-factors.ts';
import {
  type AttemptSubject,
  admitAttempt,
  forgetAttempts,
  totpOf,
  unguessableOf,
} from '../../resources/people/sign-in-attempts.ts';
import { spendTotpCode } from '../../resources/people/totp.ts';
import type { DashboardServices } from '../services.ts';

/** What an attempt has beside the address. */
interface Joint {
  readonly personId: string;
  /** Whether the password was right. */
  readonly right: boolean;
  readonly factor: FactorCode;
}

/**
 * Whether a code that came together with the password is right, and the password too: `stampOfCodes` where both are. Everything is done,
 * and takes as long, whatever is wrong: the answer tells nothing about the password alone. A right code is spent, also behind a wrong
 * password.
 */
export async function takeJointFactor(
  request: FastifyRequest,
  { storage }: DashboardServices,
  { personId, right, factor }: Joint,
): Promise<string | undefined> {
  const { people, ip } = request;
  const attempts = [right ? subjectOf(factor, personId, ip) : nobodys(factor, ip)];
  const { wait } = await admitAttempt(people, attempts);
  const stamp = await stampOfCodes(people, personId);
  const taken =
    factor.type === 'totp'
      ? await spendTotpCode(people, storage.keyRing, personId, factor.code)
      : await spendBackupCode(people, personId, factor.code);
  if (!right || wait > 0 || !taken) return undefined;
  await forgetAttempts(people, attempts);
  return stamp;
}

/** Who has the password waits for codes as after signing in: by this way nobody tries more of them. */
function subjectOf({ type }: FactorCode, personId: string, address: string): AttemptSubject {
  return type === 'totp' ? totpOf(personId, undefined) : unguessableOf(personId, address, undefined);
}

/** Never waits: it is counted so that a wrong password takes as long as a right one. */
function nobodys(factor: FactorCode, address: string): AttemptSubject {
  const name = ['joint', clientNetwork(address)];
  return { ...subjectOf(factor, '', address), name, free: Number.MAX_SAFE_INTEGER };
}
