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

/** A sign-in attempt, without its email address. */
interface Joint {
  readonly personId: string;
  /** Whether the password was correct. */
  readonly right: boolean;
  readonly factor: FactorCode;
}

/**
 * Checks a code that was sent together with the password. Returns `stampOfCodes` if both are correct. All steps run and take
 * equally long in any case, so the response reveals nothing about the password alone. A correct code is spent even with a
 * wrong password.
 */
export async function takeJointFactor(
  request: FastifyRequest,
  { storage }: DashboardServices,
  { personId, right, factor }: Joint,
): Promise<string | undefined> {
  const { people, ip } = request;
  const attempts = [right ? subjectOf(factor, personId, ip) : decoySubject(factor, ip)];
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

/** Code attempts with the correct password share the limits of the second step, so joint sign-in allows no additional attempts. */
function subjectOf({ type }: FactorCode, personId: string, address: string): AttemptSubject {
  return type === 'totp' ? totpOf(personId, undefined) : unguessableOf(personId, address, undefined);
}

/** Never limits. Counted so that a wrong password takes as long as a correct one. */
function decoySubject(factor: FactorCode, address: string): AttemptSubject {
  const name = ['joint', clientNetwork(address)];
  return { ...subjectOf(factor, '', address), name, free: Number.MAX_SAFE_INTEGER };
}
