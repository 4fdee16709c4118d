import type { CommandCost } from '../processes/command.ts';
import { table } from './table.ts';

export interface BackupResult {
  readonly databaseBytes: number;
  readonly fileBytes: number;
  readonly backup: CommandCost;
  /** Of `backup verify`. */
  readonly verify: CommandCost;
}

/** Peak memory with the larger database, as a multiple of that with the smaller one. */
export const mostGrowth = 1.5;

export function backupText(results: readonly BackupResult[]): string {
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(2);
  const cost = ({ seconds, megabytes }: CommandCost) => [seconds.toFixed(0), megabytes.toFixed(0)];
  const [small, large] = results as [BackupResult, BackupResult];
  const growth = (command: 'backup' | 'verify') =>
    (large[command].megabytes / small[command].megabytes).toFixed(2);
  return [
    table(
      ['database, GB', 'backup, GB', 'backup, s', 'peak, MB', 'verify, s', 'peak, MB'],
      results.map(({ databaseBytes, fileBytes, backup, verify }) => [
        gigabytes(databaseBytes),
        gigabytes(fileBytes),
        ...cost(backup),
        ...cost(verify),
      ]),
    ),
    `Memory, ${(large.databaseBytes / small.databaseBytes).toFixed(0)} times the database: ${growth('backup')} times for a backup, ` +
      `${growth('verify')} times for a verification.`,
  ].join('\n\n');
}
