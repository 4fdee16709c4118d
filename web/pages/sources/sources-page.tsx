import { Button } from '@mantine/core';
import { IconPlus, IconWorld } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ListSources } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { useSources } from '../../api/sources.ts';
import { choicesOf } from '../../components/choices.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { kindLabels } from './source-labels.ts';
import { SourcesTable } from './sources-table.tsx';

const names = ['search', 'status', 'kind', 'system_id'] as const;
const statuses = (['draft', 'pending', 'connected', 'failing', 'disconnected'] as const).map(value => ({
  value,
  label: statusLabel(value),
}));
const kinds = choicesOf(kindLabels);

export default function SourcesPage() {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const { values, clear, field, active } = useUrlFilters(names);
  const sources = useSources(values as ListSources);
  const rows = sources.data?.pages.flatMap(page => page.sources) ?? [];
  const { system_id, ...others } = values;
  const isOfSystem = Boolean(system_id) && Object.values(others).every(value => !value);
  const add = canOperate && (
    <Button
      component={Link}
      to={to.section('sources/new', { system_id })}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Add source
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Sources"
        description="Websites and databases that Parapet scans, directly or through a probe in your network."
        actions={add}
      />
      <FilterBar active={active} onClear={clear}>
        <SearchInput label="Search by name or host" {...field('search')} />
        <FilterSelect label="Status" all="All statuses" w={150} choices={statuses} {...field('status')} />
        <FilterSelect label="Type" all="All types" w={170} choices={kinds} {...field('kind')} />
        <SystemSelect w={180} {...field('system_id')} />
      </FilterBar>
      <Loaded query={sources}>
        {() => {
          if (rows.length > 0) return <SourcesTable sources={rows} />;
          if (active && !isOfSystem) return <NoMatches what="sources" />;
          return (
            <EmptyState
              icon={IconWorld}
              title={isOfSystem ? 'No sources in this system yet' : 'No sources yet'}
              action={add || undefined}
            >
              Add a website or database to start scanning.
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore query={sources} />
    </>
  );
}
