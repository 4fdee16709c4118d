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
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { ScansTable } from './scans-table.tsx';
import { StartScanDialog } from './start-scan-dialog.tsx';

const names = ['status', 'verdict', 'system_id', 'source_id'] as const;

export default function ScansPage() {
  const { canOperate } = useOrganization();
  const { values, set, clear, active } = useUrlFilters(names);
  const scans = useScans(values as ListScans);
  const [starting, setStarting] = useState(false);
  const rows = scans.data?.pages.flatMap(page => page.scans) ?? [];
  const start = canOperate && (
    <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setStarting(true)}>
      Start a scan
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Scans"
        description="Looks at your sources: by Watch, by a key, or started here. A safe scan only reads."
        actions={start}
      />
      <FilterBar active={active} onClear={clear}>
        <FilterSelect
          label="Status"
          anything="Any status"
          w={150}
          choices={[
            { value: 'queued,running', label: 'Running' },
            { value: 'completed', label: 'Completed' },
            { value: 'failed', label: 'Failed' },
            { value: 'canceled', label: 'Canceled' },
          ]}
          value={values.status}
          onChange={status => set({ status })}
        />
        <FilterSelect
          label="Verdict"
          anything="Any verdict"
          w={150}
          choices={[
            { value: 'fail', label: 'Fail' },
            { value: 'warn', label: 'Warn' },
            { value: 'pass', label: 'Pass' },
            { value: 'inconclusive', label: 'Inconclusive' },
          ]}
          value={values.verdict}
          onChange={verdict => set({ verdict })}
        />
        <SystemSelect w={180} value={values.system_id} onChange={system_id => set({ system_id })} />
        {values.source_id && <FilterPill label="Only one source" onRemove={() => set({ source_id: null })} />}
      </FilterBar>
      <Loaded query={scans}>
        {() =>
          rows.length > 0 ? (
            <ScansTable scans={rows} />
          ) : active ? (
            <EmptyState title="No scan fits these filters" />
          ) : (
            <EmptyState icon={IconRadar} title="No scan yet" action={start || undefined}>
              A scan looks at a source that is authorized, and tells what is wrong with it. Add a source
              first, then start its first scan.
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={scans} />
      {starting && <StartScanDialog onClose={() => setStarting(false)} />}
    </>
  );
}
