import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { useAuditEntries, useAuditExportUrl, useVerifyAuditChain } from '../../api/audit.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { ExportMenu } from '../../components/export-menu.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { NotFound } from '../not-found.tsx';
import { AuditFilterBar } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { filterNames, filtersOf } from './filters.ts';
import { Verification } from './verification.tsx';

export default function AuditPage() {
  const { canOperate } = useOrganization();
  return canOperate ? <AuditLog /> : <NotFound />;
}

function AuditLog() {
  const { values, set, clear, active } = useUrlFilters(filterNames);
  const filters = filtersOf(values);
  const log = useAuditEntries(filters);
  const exportUrl = useAuditExportUrl();
  const entries = log.data?.pages.flatMap(page => page.entries) ?? [];
  const verify = useVerifyAuditChain();
  const [open, setOpen] = useState<AuditEntry>();
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who did what, when and from where. Each entry's hash covers the entry before it, so changes to past entries can be detected."
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconLink size={16} aria-hidden />}
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              Verify chain
            </Button>
            <ExportMenu
              files={[
                ['CSV (spreadsheets)', exportUrl('csv', filters)],
                ['JSON Lines (SIEM)', exportUrl('jsonl', filters)],
              ]}
            />
          </>
        }
      />
      <Verification verify={verify} />
      <AuditFilterBar values={values} set={set} clear={clear} active={active} />
      <Loaded query={log} skeleton={<TableSkeleton rows={12} />}>
        {() =>
          entries.length > 0 ? (
            <AuditTable entries={entries} activeSequence={open?.sequence} onOpen={setOpen} />
          ) : (
            <NoMatches what="entries">Remove a filter to see more. Dates are in UTC.</NoMatches>
          )
        }
      </Loaded>
      <LoadMore query={log} />
      <Dimmed mt="sm">
        The owner of the database could rewrite the whole chain. Store its last hash elsewhere from time to
        time.
      </Dimmed>
      <EntryDrawer entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
