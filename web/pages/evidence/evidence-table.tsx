import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Evidence } from '../../../src/contract/dashboard/evidence.ts';
import { useDeleteEvidence, useEvidenceUrls } from '../../api/evidence.ts';
import { useOrganization } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { DownloadLink } from '../../components/download-link.tsx';
import { notify } from '../../components/notify.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-column.ts';
import { byteSize } from '../../formats/numbers.ts';
import classes from './evidence.module.css';
import { kindLabels } from './evidence-labels.ts';

export function EvidenceTable({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const { canOperate } = useOrganization();
  const urls = useEvidenceUrls();
  const [deleting, setDeleting] = useState<Evidence>();
  const remove = useDeleteEvidence();
  const columns: readonly Column<Evidence>[] = [
    {
      header: 'Name',
      render: ({ id, name, kind }) => (
        <Stack gap={0}>
          <DownloadLink href={urls.content(id)} fw={500} className={classes.name ?? ''}>
            {name}
          </DownloadLink>
          <Dimmed size="xs">{kindLabels[kind]}</Dimmed>
        </Stack>
      ),
    },
    {
      header: 'SHA-256',
      width: 250,
      render: ({ sha256, name }) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="xs" ff="monospace" title={sha256}>
            {sha256.slice(0, 16)}…
          </Text>
          <CopyButton value={sha256} what={`SHA-256 of ${name}`} />
        </Group>
      ),
    },
    {
      header: 'Size',
      width: 90,
      align: 'right',
      render: ({ bytes }) => <span className="tabular">{byteSize(bytes)}</span>,
    },
    {
      header: 'Created',
      width: 170,
      render: ({ created_at, created_by }) => (
        <Stack gap={0}>
          <RelativeTime at={created_at} />
          {created_by && <Dimmed size="xs">by {created_by}</Dimmed>}
        </Stack>
      ),
    },
    {
      header: 'Retained until',
      width: 140,
      render: item => (
        <Stack gap={0} align="flex-start">
          <RelativeTime at={item.retained_until} />
          {canOperate && Date.parse(item.retained_until) < Date.now() && (
            <QuietButton onClick={() => setDeleting(item)}>Delete</QuietButton>
          )}
        </Stack>
      ),
    },
  ];
  return (
    <>
      <DataTable caption="Evidence" columns={columns} rows={evidence} rowKey={item => item.id} />
      <ConfirmDialog
        opened={Boolean(deleting)}
        onClose={() => setDeleting(undefined)}
        title="Delete evidence?"
        confirmLabel="Delete evidence"
        danger
        onConfirm={async () => {
          if (!deleting) return;
          await remove.mutateAsync(deleting.id);
          notify(`${deleting.name} deleted`);
        }}
      >
        The six-year retention period has ended. This permanently deletes {deleting?.name}. Its name and hash
        stay in the audit log.
      </ConfirmDialog>
    </>
  );
}
