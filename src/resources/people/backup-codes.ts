import { randomInt } from 'node:crypto';
import { countOfRows, now } from '../../database/expressions.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { hashToken } from './sessions.ts';

const count = 10;
/**
 * Without 0, 1, I, L, O and U, which are easily misread. 16 of 30 characters are 78 bits, so that an unsalted hash
 * withstands guessing.
 */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Replaces all backup codes with ten new ones, which are shown only once: `ABCD-EFGH-JKMN-PQRS`. */
export async function renewBackupCodes(transaction: PeopleTransaction, personId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await removeBackupCodes(transaction, personId);
  const rows = codes.map(code => ({ person_id: personId, code_hash: hashOf(code) }));
  await transaction.query(db.insertInto('backup_codes').values(rows));
  return codes;
}

/** Whether it is an unused code of the person, which is then used. */
export async function spendBackupCode(session: TenantSession, personId: string, code: string) {
  const spent = await session.query(
    db
      .updateTable('backup_codes')
      .set({ used_at: now })
      .where(({ and }) => and({ person_id: personId, code_hash: hashOf(code) }))
      .where('used_at', 'is', null)
      .returning('person_id'),
  );
  return spent.length > 0;
}

export async function removeBackupCodes(session: TenantSession, personId: string): Promise<void> {
  await session.query(db.deleteFrom('backup_codes').where('person_id', '=', personId));
}

export async function countBackupCodes(session: TenantSession, personId: string): Promise<number> {
  const unused = db.selectFrom('backup_codes').where('person_id', '=', personId).where('used_at', 'is', null);
  const [count] = await session.query(unused.select(countOfRows.as('left')));
  return count!.left;
}

function newCode(): string {
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Accepts lowercase letters, spaces, and missing dashes. */
function hashOf(code: string): Buffer {
  return hashToken(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
}
