import type { Scan } from '../../../src/contract/scans.ts';

export const profileLabels: Record<Scan['profile'], string> = {
  safe_all_surfaces: 'Safe scan',
  verify_finding: 'Verification of a finding',
  full_active: 'Full scan',
};

/** How long it took, in seconds; a dash while it has not ended. */
export function tookSeconds({ started_at, finished_at }: Pick<Scan, 'started_at' | 'finished_at'>): string {
  if (!started_at || !finished_at) return '–';
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}
