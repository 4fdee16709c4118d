import type { FastifyRequest } from 'fastify';
import type { SecondFactor } from '../contract/dashboard/session.ts';
import { Refusal } from '../domain/refusal.ts';
import { auditAccount } from '../storage/people/accounts.ts';
import { spendBackupCode } from '../storage/people/backup-codes.ts';
import { countAttempt, forgetAttempts, secondFactorOf } from '../storage/people/sign-in-attempts.ts';
import { spendTotpCode } from '../storage/people/totp.ts';
import type { DashboardServices } from './services.ts';
import { isPasskeyAnswer } from './webauthn.ts';

/** Takes a second factor of the session's person, once. Throws `second_factor_failed` and `too_many_attempts`. */
export async function takeSecondFactor(
  request: FastifyRequest,
  services: DashboardServices,
  factor: SecondFactor,
): Promise<void> {
  const { people } = services.storage;
  const attempts = [secondFactorOf(request.person.id)];
  await countAttempt(people, attempts);
  if (!(await isRight(request, services, factor))) {
    await people.transaction(transaction =>
      auditAccount(transaction, request.actor, request.person.id, {
        action: 'person.second_factor_failed',
        detail: { type: factor.type },
      }),
    );
    throw new Refusal('second_factor_failed');
  }
  await forgetAttempts(people, attempts);
}

function isRight(
  request: FastifyRequest,
  { storage, publicUrl }: DashboardServices,
  factor: SecondFactor,
): Promise<boolean> {
  const { people, keyRing } = storage;
  const personId = request.person.id;
  switch (factor.type) {
    case 'totp':
      return spendTotpCode(people, keyRing, personId, factor.code);
    case 'backup_code':
      return spendBackupCode(people, personId, factor.code);
    case 'passkey':
      return isPasskeyAnswer(request, people, publicUrl, factor.response);
  }
}
