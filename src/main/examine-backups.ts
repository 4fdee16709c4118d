import type { Storage } from '../resources/storage.ts';
import { lastDue, readBackupSchedule } from './backup-schedule.ts';

/** Late is one that should be finished by now. */
const backupTakesMs = 6 * 3_600_000;

/** Whether the scheduled backups are made, in words for the operator. */
export async function examineBackups({ system }: Storage): Promise<{ ok: boolean; detail: string }> {
  const schedule = readBackupSchedule(process.env);
  const last = await system.lastBackups();
  const moment = last.any === null ? 'none yet' : `the last is of ${last.any.toISOString()}`;
  if (!schedule) return { ok: true, detail: `${moment}; not scheduled (PARAPET_BACKUP_DIR)` };
  const due = lastDue(schedule, new Date(Date.now() - backupTakesMs));
  const ok = last.scheduled !== null && last.scheduled >= due;
  return { ok, detail: ok ? moment : `${moment}; the scheduled one of ${due.toISOString()} is missing` };
}
