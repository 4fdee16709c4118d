import { db } from '../../database/query-builder.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { daysAfter, overdueSince, readDueTerms } from '../findings/due-dates.ts';
import { matchingFindings } from '../findings/finding-conditions.ts';
import { recordNotice } from './record-notice.ts';

/** Days before the end of a key or an attestation on which a notice is stored. */
const beforeEnd = 'array[14, 3]';
const firstDay = 14;

/** SQL of the smallest of these days that has come. @param end a column with a time in the future */
const dayOf = (end: string) =>
  `(select min(day) from unnest(${beforeEnd}) as day where ${end} <= now() + day * interval '24 hours')`;

/** After so many days without a backup, owners get a message each week. */
const backupDays = 7;

/** Stores notices of what is about to end, or has not happened for long. Each is stored once. */
export async function recordForeseen(transaction: TenantTransaction): Promise<void> {
  await transaction.query({
    text: `insert into notices (kind, object_id, once)
      select 'key_expiring', id, 'key_expiring ' || id || ' ' || expires_at::date || ' ' || ${dayOf('expires_at')} from api_keys
      where revoked_at is null and expires_at > now() and expires_at <= now() + ${firstDay} * interval '24 hours'
      union all
      select 'attestation_ending', id, 'attestation_ending ' || id || ' ' || ${dayOf('valid_until')} from control_attestations a
      where withdrawn_at is null and valid_until > now() and valid_until <= now() + ${firstDay} * interval '24 hours'
        and not exists (select from control_attestations newer where newer.control = a.control and newer.attested_at > a.attested_at)
      union all
      select 'backup_old', null, 'backup_old ' || to_char(now(), 'IYYY-IW') from organizations
      where greatest(created_at, (select max(made_at) from backups)) < now() - ${backupDays} * interval '24 hours'
      on conflict (organization_id, once) where once is not null do nothing`,
  });
  await recordOverdue(transaction);
}

/** Days for which what became overdue is reported later, if no worker ran. */
const lateDays = 7;

/** One notice for each day on which findings became overdue. */
async function recordOverdue(transaction: TenantTransaction): Promise<void> {
  const terms = await readDueTerms(transaction);
  const hasOverdue = async (first: string, last: string) => {
    const late = matchingFindings({ due: overdueSince(terms, first, last) }, ['id']);
    return (await transaction.query(db.selectFrom(late.as('late')).select('id').limit(1))).length > 0;
  };
  const days = Array.from({ length: lateDays }, (_, before) => daysAfter(terms.today, -before)).reverse();
  // Mostly, there are none at all.
  if (!(await hasOverdue(days[0]!, terms.today))) return;
  for (const day of days)
    if (await hasOverdue(day, day))
      await recordNotice(transaction, { kind: 'overdue', once: `overdue ${day}` });
}
