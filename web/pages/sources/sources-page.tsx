import { Button } from '@mantine/core';
import { IconPlus, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ListSources } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { useSources } from '../../api/sources.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { SourcesTable } from './sources-table.tsx';
import { kindLabels } from './words.ts';

const names = ['search', 'status', 'kind', 'system_id'] as const;
const statuses = ['draft', 'pending', 'connected', 'failing', 'disconnected'] as const;

export default function SourcesPage() {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const { values, set, clear, active } = useUrlFilters(names);
  const sources = useSources(values as ListSources);
  const rows = sources.data?.pages.flatMap(page => page.sources) ?? [];
  const add = canOperate && (
    <Button component={Link} to={to.section('sources/new')} leftSection={<IconPlus size={16} aria-hidden />}>
      Add a source
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Sources"
        description="Websites and databases that are looked at, by scans or by a probe in your own network."
        actions={add}
      />
      <FilterBar active={active} onClear={clear}>
        <SearchInput
          label="Search by name or host"
          value={values.search ?? ''}
          onChange={search => set({ search })}
        />
        <FilterSelect
          label="Status"
          anything="Any status"
          w={150}
          choices={statuses.map(value => ({ value, label: statusLabel(value) }))}
          value={values.status}
          onChange={status => set({ status })}
        />
        <FilterSelect
          label="Kind"
          anything="Any kind"
          w={170}
          choices={Object.entries(kindLabels).map(([value, label]) => ({ value, label }))}
          value={values.kind}
          onChange={kind => set({ kind })}
        />
        <SystemSelect w={180} value={values.system_id} onChange={system_id => set({ system_id })} />
      </FilterBar>
      <Loaded query={sources}>
        {() =>
          rows.length > 0 ? (
            <SourcesTable sources={rows} />
          ) : active ? (
            <EmptyState title="No source fits these filters">Take a filter away to see more.</EmptyState>
          ) : (
            <EmptyState icon={IconWorld} title="No source yet" action={add || undefined}>
              Add the website or the database of a system. You are led from its risk statement to its first
              scan in a few minutes.
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore query={sources} />
    </>
  );
}
