import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { sleep } from '../agent/sleep.ts';
import { DatabaseUnavailable } from '../database/outages.ts';
import { installedFile } from '../domain/installed-file.ts';
import type { Storage } from '../resources/storage.ts';
import { type BackupSchedule, lastDue } from './backup-schedule.ts';

const program = fileURLToPath(installedFile('dist/main/parapet.js'));

const everyMs = 60_000;
/** Before a failed backup is tried again. */
const retryMs = 3_600_000;

export interface ScheduledBackups {
  /** Ends a backup that is being made, which leaves no file. */
  stop(): Promise<void>;
}

/**
 * Makes the backup of each day, in a process with lower priority: its work must not delay requests or scans. One of several nodes makes
 * it, since all of them record it in the database.
 */
export function scheduleBackups(
  schedule: BackupSchedule,
  { storage, dataDirectory, logger }: { storage: Storage; dataDirectory: string; logger: Logger },
): ScheduledBackups {
  const stopping = new AbortController();
  let retryAt = 0;
  const turn = async () => {
    if (Date.now() < retryAt) return;
    const { scheduled } = await storage.system.lastBackups();
    if (scheduled && scheduled >= lastDue(schedule, new Date())) return;
    retryAt = Date.now() + retryMs;
    const { file, failure, ...made } = await backUp(dataDirectory, stopping.signal);
    if (stopping.signal.aborted) return;
    if (failure !== undefined) return logger.error({ reason: failure }, 'backup.failed');
    retryAt = 0;
    // Null if another node made it.
    if (file !== null) logger.info({ file, ...made }, 'backup.finished');
  };
  const onError = (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) logger.error({ err: error }, 'backup.failed');
  };
  const turns = (async () => {
    while (!stopping.signal.aborted) {
      await turn().catch(onError);
      await sleep(everyMs, stopping.signal);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return turns;
    },
  };
}

/** What `parapet backup --json` prints, or why it failed. */
interface Outcome {
  readonly file?: string | null;
  readonly failure?: string;
}

/** Makes the backup of the schedule, which the process reads too. */
async function backUp(dataDirectory: string, signal: AbortSignal): Promise<Outcome> {
  const options = ['--scheduled', '--data', dataDirectory, '--json'];
  const child = spawn(process.execPath, [program, 'backup', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  // The signal's error, or that of a process that could not be started.
  const failed = once(child, 'error').then(([error]) => String(error));
  child.once('spawn', () => setPriority(child.pid!, constants.priority.PRIORITY_LOW));
  const [output, errors, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    Promise.race([once(child, 'close'), failed]),
  ]);
  if (Array.isArray(status) && status[0] === 0) return JSON.parse(output);
  const cause = errors.trim().split('\n')[0] || `exit status ${status}`;
  return { failure: cause.replace(/^parapet: /, '').slice(0, 500) };
}
