import { Button, Stack } from '@mantine/core';
import { IconAccessPoint, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ListProbes } from '../../../src/contract/dashboard/probes.ts';
import { useProbes } from '../../api/probes.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { SystemSelect } from '../../components/filter-select.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { InventorySection } from './inventory-section.tsx';
import { ProbesTable } from './probes-table.tsx';

const names = ['system_id'] as const;

export default function ProbesPage() {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const { values, clear, field, active } = useUrlFilters(names);
  const filters = values as ListProbes;
  const probes = useProbes(filters);
  const rows = probes.data?.pages.flatMap(page => page.probes) ?? [];
  const add = canOperate && (
    <Button
      component={Link}
      to={to.section('probes/new', values)}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Add a probe
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Probes"
        description="Programs in your networks that assess databases and websites there and report the results. Credentials and data stay with the probe."
        actions={add}
      />
      {(rows.length > 0 || active) && (
        <FilterBar active={active} onClear={clear}>
          <SystemSelect w={180} {...field('system_id')} />
        </FilterBar>
      )}
      <Stack>
        <Loaded query={probes}>
          {() => {
            if (rows.length > 0) return <ProbesTable probes={rows} />;
            if (active) return <NoMatches what="probes" />;
            return (
              <EmptyState icon={IconAccessPoint} title="No probes yet" action={add || undefined}>
                A probe appears here with its first report. Add one to assess databases and websites that
                Parapet cannot reach.
              </EmptyState>
            );
          }}
        </Loaded>
        <LoadMore query={probes} />
        <InventorySection filters={filters} />
      </Stack>
    </>
  );
}
