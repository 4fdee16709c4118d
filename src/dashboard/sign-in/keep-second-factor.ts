import type { FastifyRequest } from 'fastify';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { auditAccount } from '../../resources/people/accounts.ts';
import { removeBackupCodes } from '../../resources/people/backup-codes.ts';
import { hasSecondFactor, isSecondFactorAsked } from '../../resources/people/second-factors.ts';

/**
 * A second factor was removed. Throws `last_second_factor`, which takes the removal back, where it was the last and the
 * role asks for one. Backup codes stand in for a factor: without one they go.
 */
export async function keepSecondFactor(
  request: FastifyRequest,
  transaction: PeopleTransaction,
  detail: { readonly type: 'totp' | 'passkey' },
): Promise<void> {
  const { id } = request.person;
  if (!(await hasSecondFactor(transaction, id))) {
    // The role may have changed since the request was admitted.
    if (await isSecondFactorAsked(transaction, id)) throw new Refusal('last_second_factor');
    await removeBackupCodes(transaction, id);
  }
  await auditAccount(transaction, request.actor, id, { action: 'person.second_factor_removed', detail });
}
