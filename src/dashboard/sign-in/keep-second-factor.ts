import type { FastifyRequest } from 'fastify';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { auditAccount } from '../../resources/people/accounts.ts';
import { removeBackupCodes } from '../../resources/people/backup-codes.ts';
import { hasSecondFactor, isSecondFactorAsked } from '../../resources/people/second-factors.ts';

/**
 * Completes the removal of a second factor. Throws `last_second_factor`, which rolls the removal back, if it was the last one
 * and the role requires one. Without a factor, the backup codes are deleted.
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
