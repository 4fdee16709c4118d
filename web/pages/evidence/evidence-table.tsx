import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Evidence } from '../../../src/contract/dashboard/evidence.ts';
import { downloadSteppedUp } from '../../api/download.ts';
import { useDeleteEvidence, useEvidenceUrls } from '../../api/evidence.ts';
import { useOrganization } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { succeed } from '../../components/succeed.ts';
import classes from './evidence.module.css';
import { inBytes, kindLabels } from './evidence-words.ts';

/** A name downloads what it names. */
export function EvidenceTable({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const { canOperate } = useOrganization();
  const urls = useEvidenceUrls();
  const [deleting, setDeleting] = useState<Evidence>();
  const remove = useDeleteEvidence();
  const columns: readonly Column<Evidence>[] = [
    {
      key: 'name',
      header: 'Name',
      render: ({ id, name, kind }) => (
        <Stack gap={0}>
          <Anchor
            href={urls.content(id)}
            download
            onClick={downloadSteppedUp}
            size="sm"
            fw={500}
            className={classes.name ?? ''}
          >
            {name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {kindLabels[kind]}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'sha256',
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
      key: 'bytes',
      header: 'Size',
      width: 90,
      align: 'right',
      render: ({ bytes }) => <span className="tabular">{inBytes(bytes)}</span>,
    },
    {
      key: 'made',
      header: 'Made',
      width: 170,
      render: ({ created_at, created_by }) => (
        <Stack gap={0}>
          <RelativeTime at={created_at} />
          <Text size="xs" c="dimmed">
            by {created_by ?? 'somebody'}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'retained',
      header: 'Kept until',
      width: 140,
      render: item => (
        <Stack gap={0} align="flex-start">
          <RelativeTime at={item.retained_until} />
          {canOperate && new Date(item.retained_until).getTime() < Date.now() && (
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
        title="Delete evidence"
        confirmLabel="Delete evidence"
        danger
        onConfirm={async () => {
          if (!deleting) return;
          await remove.mutateAsync(deleting.id);
          succeed(`${deleting.name} is deleted`);
        }}
      >
        Its six years are over. {deleting?.name} is gone for good with this; the audit log keeps its name and
        hash.
      </ConfirmDialog>
    </>
  );
}
