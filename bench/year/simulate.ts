import { queues } from '../../src/database/jobs/queues.ts';
import { deleteOldScans } from '../../src/resources/scans/retention.ts';
import { changeWhatIsKnown, dayMs, hourMs, keepTemplates, scanFor } from './hour.ts';
import type { YearOrganization } from './organization.ts';
import { addAuditEntries, addRecordsOfDay, foldCounts } from './records.ts';
import { vacuumWhatIsDue } from './vacuum.ts';

export interface Simulation {
  readonly days: number;
  /** The retention of scans. */
  readonly keptDays: 30 | 90 | 365;
  /** The last days, in which each hour also changes what is known of the sources. */
  readonly busyDays: number;
}

/** Days until midnight (UTC), hour by hour, with a day’s deletion of old scans in each. */
export async function simulate(
  { id, owner, storage }: YearOrganization,
  { days, keptDays, busyDays }: Simulation,
  progress: (line: string) => void,
): Promise<void> {
  const worker = storage.tenant(id, { kind: 'service', id: 'worker' });
  const midnight = Math.floor(Date.now() / dayMs) * dayMs;
  const first = midnight - days * dayMs;
  const jobsKeptMs = queues.find(({ name }) => name === 'scan-inspect')!.deleteAfterSeconds! * 1_000;
  await keepTemplates(owner, first);
  await owner.query('update organizations set scan_retention_days = $1, scan_retention_applies_at = now()', [
    keptDays,
  ]);
  // The worker has applied today’s, when there was nothing to delete.
  await owner.query('delete from retention_turns');
  // More than a page shows: one with few entries is faster, however many there are later.
  await addAuditEntries(owner, 100);
  for (let day = 0; day < days; day++) {
    const at = first + day * dayMs;
    let scans = 0;
    const isBusy = day >= days - busyDays;
    const step = isBusy ? 1 : 6;
    for (let hour = 0; hour < 24; hour += step) {
      const ids = await scanFor(owner, id, at + hour * hourMs, step);
      scans += ids.length;
      if (!isBusy) continue;
      await changeWhatIsKnown(owner, id, ids, at + hour * hourMs, jobsKeptMs);
      await vacuumWhatIsDue(owner);
    }
    await addRecordsOfDay(owner, new Date(at), day);
    // The next day in order, which is past the retention at midnight.
    if (day >= keptDays)
      await worker.transaction(transaction =>
        transaction.query({ text: 'select ended from delete_old_scans($1)', values: [scans] }),
      );
    await vacuumWhatIsDue(owner);
    if (day % 50 === 49) progress(`simulated ${day + 1} of ${days} days`);
  }
  // What is left, until the turn of the last day has ended.
  while ((await storage.system.due.retentions(1)).length > 0) await worker.transaction(deleteOldScans);
  await foldCounts(owner);
  await vacuumWhatIsDue(owner);
}
