import { Box, Button, Group } from '@mantine/core';
import { IconPlus, IconServer } from '@tabler/icons-react';
import { useState } from 'react';
import type { SystemRow } from '../../../src/contract/dashboard/systems.ts';
import { useOrganization } from '../../api/session.ts';
import { useSystems } from '../../api/systems.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { laterPart } from '../../later/later.ts';
import { InventorySection } from '../probes/inventory-section.tsx';
import { SystemsTable } from './systems-table.tsx';

const SystemDialog = laterPart(() => import('./system-dialog.tsx'));

const names = ['search', 'add'] as const;

export default function SystemsPage() {
  const { canOperate } = useOrganization();
  const { values, set, field } = useUrlFilters(names);
  const { search } = values;
  const systems = useSystems(search ? { search } : {});
  const [editing, setEditing] = useState<SystemRow>();
  const rows = systems.data?.pages.flatMap(page => page.systems) ?? [];
  const add = canOperate && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => set({ add: 'yes' })}>
      Add system
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Systems"
        description="Applications, sites and APIs that your organization runs. Attach websites and databases to them as sources to scan."
        actions={add}
      />
      {(rows.length > 0 || search) && (
        <Group mb="sm" role="search">
          <SearchInput label="Search by name" {...field('search')} />
        </Group>
      )}
      <Loaded query={systems}>
        {() => {
          if (rows.length > 0) return <SystemsTable systems={rows} onEdit={setEditing} />;
          if (search)
            return <EmptyState title="No systems match this search">Try a part of the name.</EmptyState>;
          return (
            <EmptyState icon={IconServer} title="No systems yet" action={add || undefined}>
              Add the first one, such as “Patient portal”, then attach its website or database as a source.
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore query={systems} />
      <Box mt="md">
        <InventorySection />
      </Box>
      {canOperate && values.add && <SystemDialog onClose={() => set({ add: null })} />}
      {editing && <SystemDialog system={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}
