import type { Metrics } from '../http/metrics.ts';
import type { Storage } from '../resources/storage.ts';

/** Adds the figures that all nodes of an installation report alike, to be read by one process of each. */
export function addInstallationMetrics(metrics: Metrics, { system }: Pick<Storage, 'system'>): void {
  metrics.addReading(
    'parapet_backup_age_seconds',
    'Age of the last backup of the installation. Missing without any.',
    async () => {
      const { any: last } = await system.lastBackups();
      return last === null ? undefined : (Date.now() - last.getTime()) / 1000;
    },
  );
}
