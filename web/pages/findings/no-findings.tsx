import { Button } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { useOverview } from '../../api/overview.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { counted } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';

/** Says how much has been scanned, since an empty list says nothing about sources that were not. */
export function NoFindings() {
  const to = useOrganizationPaths();
  const overview = useOverview();
  return (
    <EmptyState
      icon={IconListSearch}
      title={overview.data?.score == null ? 'Not scanned' : 'No open findings'}
      action={
        <Button component={Link} to={to.section('sources')} variant="default">
          Go to sources
        </Button>
      }
    >
      {coverage(overview.data)}
    </EmptyState>
  );
}

function coverage(overview: Overview | undefined): string {
  if (!overview) return 'Scan results appear here, most severe first.';
  const { score, sources, not_scanned } = overview;
  if (score === null) return 'No source has been scanned. Scan results appear here, most severe first.';
  if (not_scanned === 0) return 'Every source has been scanned.';
  return `${not_scanned.toLocaleString()} of ${counted(sources, 'source')} never scanned.`;
}
