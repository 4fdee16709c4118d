import type { FindingRow } from '../../../src/contract/dashboard/findings.ts';
import { StatusBadge } from '../../components/status-badge.tsx';

/** An open finding that was resolved before counts as reopened. */
export function FindingStatus({ finding }: { readonly finding: Pick<FindingRow, 'status' | 'reopened'> }) {
  const { status, reopened } = finding;
  return <StatusBadge status={status} {...(reopened && status === 'open' ? { label: 'Reopened' } : {})} />;
}
