import { randomInt } from 'node:crypto';
import type { PeopleTransaction } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { hashToken } from './sessions.ts';

const count = 10;
/** No 0, 1, I, L, O or U: nothing that is misread. 16 of 30 characters are 78 bits: a plain hash withstands guessing. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ten new codes in the place of all before, to be shown this once: `ABCD-EFGH-JKMN-PQRS`. */
export async function renewBackupCodes(transaction: PeopleTransaction, personId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await transaction.query({ text: 'delete from backup_codes where person_id = $1', values: [personId] });
  await transaction.query({
    text: 'insert into backup_codes (person_id, code_hash) select $1, unnest($2::bytea[])',
    values: [personId, codes.map(hashOf)],
  });
  return codes;
}

/** Whether it is one of the person's codes that was not used. It is used with this. */
export async function spendBackupCode(
  session: TenantSession,
  personId: string,
  code: string,
): Promise<boolean> {
  const rows = await session.query({
    text: `update backup_codes set used_at = now() where person_id = $1 and code_hash = $2 and used_at is null
      returning person_id`,
    values: [personId, hashOf(code)],
  });
  return rows.length > 0;
}

export async function removeBackupCodes(session: TenantSession, personId: string): Promise<void> {
  await session.query({ text: 'delete from backup_codes where person_id = $1', values: [personId] });
}

export async function countBackupCodes(session: TenantSession, personId: string): Promise<number> {
  const rows = await session.query<{ left: number }>({
    text: 'select count(*)::int as left from backup_codes where person_id = $1 and used_at is null',
    values: [personId],
  });
  return rows[0]!.left;
}

function newCode(): string {
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** As people may type it: in small letters, with spaces or without dashes. */
function hashOf(code: string): Buffer {
  return hashToken(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
}
