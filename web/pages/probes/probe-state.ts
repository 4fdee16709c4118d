import type { SourceReport } from '../../../src/contract/dashboard/probes.ts';

type State = 'key_revoked' | 'key_expired' | 'silent' | 'reporting';

/** Whether the probe reports. Its key decides first: without a valid one it cannot. */
export function probeState(
  { key, silent_since }: Pick<SourceReport['probe'], 'silent_since' | 'key'>,
  now = Date.now(),
): State {
  if (key.revoked_at !== null) return 'key_revoked';
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return 'key_expired';
  return silent_since === null ? 'reporting' : 'silent';
}
