import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertOctagon, IconLink, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuditEntry, AuditVerification } from '../../../src/contract/dashboard/audit.ts';
import { auditProblemTexts } from '../../../src/contract/dashboard/audit-problems.ts';
import { useAuditEntries, useAuditExportUrl, useVerifyAuditChain } from '../../api/audit.ts';
import { useOrganization } from '../../api/session.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { ExportMenu } from '../../components/export-menu.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { FormError } from '../../forms/form-error.tsx';
import { NotFound } from '../not-found.tsx';
import { AuditFilterBar } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { filterNames, filtersOf } from './filters.ts';

export default function AuditPage() {
  const { canOperate } = useOrganization();
  return canOperate ? <AuditLog /> : <NotFound />;
}

function AuditLog() {
  const urlFilters = useUrlFilters(filterNames);
  const filters = filtersOf(urlFilters.values);
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
      <AuditFilterBar filters={urlFilters} />
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

/** The result of verifying the chain; nothing until it is requested. */
function Verification({ verify }: { readonly verify: ReturnType<typeof useVerifyAuditChain> }) {
  if (!verify.error && !verify.data) return null;
  return (
    <Stack gap="sm" mb="md">
      <FormError error={verify.error} />
      {verify.data && <Result verification={verify.data} />}
    </Stack>
  );
}

function Result({ verification }: { readonly verification: AuditVerification }) {
  const { holds: isIntact, entries, holds_until: lastIntact, problem, head, verified_at } = verification;
  return (
    <Alert
      role="status"
      color={isIntact ? 'teal' : 'red'}
      variant="light"
      icon={isIntact ? <IconShieldCheck aria-hidden /> : <IconAlertOctagon aria-hidden />}
      title={
        isIntact
          ? `${entries === 1 ? '1 entry' : `All ${entries.toLocaleString()} entries`} verified`
          : `Chain broken after entry ${lastIntact.toLocaleString()} of ${entries.toLocaleString()}`
      }
    >
      <Stack gap="sm">
        <Text size="sm" component="div">
          {isIntact
            ? 'All hashes were recomputed and match.'
            : `After that entry, ${problem && auditProblemTexts[problem]}. Someone with access to the database changed entries, or a restored backup is incomplete. Compare with an earlier export.`}{' '}
          Verified <RelativeTime at={verified_at} />.
        </Text>
        {head && <CopyField label="Last hash" value={head} />}
      </Stack>
    </Alert>
  );
}
