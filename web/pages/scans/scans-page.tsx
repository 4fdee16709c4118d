import { Button } from '@mantine/core';
import { IconPlayerPlay, IconRadar } from '@tabler/icons-react';
import { useState } from 'react';
import type { ListScans } from '../../../src/contract/dashboard/scans.ts';
import { useScans } from '../../api/scans.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterPill } from '../../components/filter-pill.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { laterPart } from '../../later/later.ts';
import { ScanRetention } from './scan-retention.tsx';
import { ScansTable } from './scans-table.tsx';

const RunScanDialog = laterPart(() => import('./run-scan-dialog.tsx'));

const names = ['status', 'verdict', 'system_id', 'source_id'] as const;

const statuses = [
  { value: 'queued,running', label: 'Running' },
  ...(['completed', 'failed', 'canceled'] as const).map(value => ({ value, label: statusLabel(value) })),
];
const verdicts = (['fail', 'warn', 'pass', 'inconclusive'] as const).map(value => ({
  value,
  label: statusLabel(value),
}));

export default function ScansPage() {
  const { canOperate } = useOrganization();
  const { values, set, clear, field, active } = useUrlFilters(names);
  const scans = useScans(values as ListScans);
  const [starting, setStarting] = useState(false);
  const rows = scans.data?.pages.flatMap(page => page.scans) ?? [];
  const run = canOperate && (
    <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setStarting(true)}>
      Run scan
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Scans"
        description="Scans started by Watch, an API key or a person, and assessments by probes and Shield. Safe scans are read-only."
        actions={
          canOperate && (
            <>
              <ScanRetention />
              {run}
            </>
          )
        }
      />
      <FilterBar active={active} onClear={clear}>
        <FilterSelect label="Status" all="All statuses" w={150} choices={statuses} {...field('status')} />
        <FilterSelect label="Verdict" all="All verdicts" w={150} choices={verdicts} {...field('verdict')} />
        <SystemSelect w={180} {...field('system_id')} />
        {values.source_id && <FilterPill label="One source" onRemove={() => set({ source_id: null })} />}
      </FilterBar>
      <Loaded query={scans}>
        {() => {
          if (rows.length > 0) return <ScansTable scans={rows} />;
          if (active) return <NoMatches what="scans" />;
          return (
            <EmptyState icon={IconRadar} title="No scans yet" action={run || undefined}>
              Add a source, authorize scans of it, then run the first one.
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore query={scans} />
      {starting && <RunScanDialog onClose={() => setStarting(false)} />}
    </>
  );
}
