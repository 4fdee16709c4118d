import type { TenantTransaction } from '../../database/tenant-store.ts';
import { readShield, recordOutcome, takeDueShield } from '../../resources/shield/shield-state.ts';
import { inspectOwn } from '../../scan/inspect-own.ts';
import type { Inspection } from '../../scan/inspection.ts';
import { saveOwnScan } from './save-own-scan.ts';

/**
 * Assesses what the firewalls of a source reported. It becomes a scan only if its outcome differs from the last one: otherwise
 * there would be one every few minutes. Does nothing if it is not due.
 *
 * @param canBeSilent whether a firewall that has not reported is silent, and not one that could not reach the service
 */
export async function assessShield(
  transaction: TenantTransaction,
  sourceId: string,
  canBeSilent: boolean,
): Promise<void> {
  const shield = await takeDueShield(transaction, sourceId);
  if (!shield) return;
  const capture = await readShield(transaction, sourceId);
  // Nothing has been seen.
  if (capture.firewalls.length === 0) return;
  const isUnknown = !canBeSilent && capture.firewalls.some(({ silent_seconds }) => silent_seconds !== null);
  if (isUnknown) return;
  const inspection = inspectOwn('shield', sourceId, capture);
  const outcome = outcomeOf(inspection);
  if (!(await recordOutcome(transaction, sourceId, outcome))) return;
  await saveOwnScan(transaction, shield, capture.collected_at, inspection);
}

/** What a scan would conclude, without times and counts. */
function outcomeOf({ seen, outcomes }: Inspection): string {
  const flaws = seen.map(({ fingerprint, severity }) => `${fingerprint} ${severity}`);
  return [...flaws, ...outcomes.map(({ check, outcome }) => `${check} ${outcome}`)].sort().join('\n');
}
