import type { FastifyRequest } from 'fastify';
import type { SecondFactor } from '../../contract/dashboard/session.ts';
import { Refusal } from '../../domain/refusal.ts';
import { auditAccount } from '../../resources/people/accounts.ts';
import { spendBackupCode } from '../../resources/people/backup-codes.ts';
import {
  type AttemptSubject,
  countAttempt,
  forgetAttempts,
  inSession,
  totpOf,
  unguessableOf,
} from '../../resources/people/sign-in-attempts.ts';
import { spendTotpCode } from '../../resources/people/totp.ts';
import type { DashboardServices } from '../services.ts';
import { knownDevice } from './known-device.ts';
import { isPasskeyAnswer } from './webauthn.ts';

/** Verifies and spends a second factor of the person. Throws `second_factor_failed` and `too_many_attempts`. */
export async function takeSecondFactor(
  request: FastifyRequest,
  services: DashboardServices,
  factor: SecondFactor,
): Promise<void> {
  const { people } = request;
  const attempts = [await subjectOf(request, services, factor.type)];
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

/** Each factor has separate limits, so that guessing TOTP codes does not block passkeys or backup codes. */
async function subjectOf(
  request: FastifyRequest,
  services: DashboardServices,
  type: SecondFactor['type'],
): Promise<AttemptSubject> {
  const { id, personId, secondFactorGiven } = request.session!;
  if (secondFactorGiven) return inSession(type === 'totp' ? 'totp' : 'other', id);
  const device = await knownDevice(request, services, personId);
  return type === 'totp' ? totpOf(personId, device) : unguessableOf(personId, request.ip, device);
}

function isRight(
  request: FastifyRequest,
  services: DashboardServices,
  factor: SecondFactor,
): Promise<boolean> {
  const { people } = request;
  const { keyRing } = services.storage;
  const personId = request.person.id;
  switch (factor.type) {
    case 'totp':
      return spendTotpCode(people, keyRing, personId, factor.code);
    case 'backup_code':
      return spendBackupCode(people, personId, factor.code);
    case 'passkey':
      return isPasskeyAnswer(request, services, factor.response);
  }
}
