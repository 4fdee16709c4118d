import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useRevokeKey } from '../../api/keys.ts';
import { useProbes } from '../../api/probes.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowAction, RowActions } from '../../components/row-actions.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { laterPart } from '../../later/later.ts';

const ExpiryDialog = laterPart(() => import('./expiry-dialog.tsx'));
const RotateKeyDialog = laterPart(() => import('./rotate-key-dialog.tsx'));

export function KeysTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const [revoking, setRevoking] = useState<ApiKey>();
  const [expiring, setExpiring] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const revoke = useRevokeKey();
  const columns: Column<ApiKey>[] = [
    {
      header: 'Key',
      render: key => (
        <div>
          <Text fw={600}>{key.name ?? 'Unnamed key'}</Text>
          <Mono size="xs" c="dimmed">
            {key.token_id}
          </Mono>
          {key.allowed_addresses.length > 0 && <AllowedAddresses addresses={key.allowed_addresses} />}
        </div>
      ),
    },
    {
      header: 'Type',
      render: key => (key.kind === 'dashboard' ? 'Dashboard' : `Probe for ${key.system_name}`),
    },
    {
      header: 'Scopes',
      wideOnly: true,
      render: key => (
        <Group gap={4} maw={260}>
          {key.scopes.map(scope =>
            scope === 'sources:privileged' ? (
              <Badge key={scope} color="orange" tt="none" ff="monospace">
                {scope}
              </Badge>
            ) : (
              <Code key={scope} fz="xs">
                {scope}
              </Code>
            ),
          )}
        </Group>
      ),
    },
    {
      header: 'Status',
      render: ({ status, revoked_at }) => (
        <Stack gap={0}>
          <StatusBadge status={status} />
          {revoked_at && (
            <Dimmed size="xs">
              <RelativeTime at={revoked_at} />
            </Dimmed>
          )}
        </Stack>
      ),
    },
    {
      header: 'Last used',
      render: ({ last_used_at }) => (last_used_at ? <RelativeTime at={last_used_at} /> : 'Never'),
    },
    {
      header: 'Expires',
      render: ({ revoked_at, expires_at }) => (revoked_at ? '–' : <RelativeTime at={expires_at} />),
    },
  ];
  return (
    <>
      <DataTable
        caption="API keys"
        columns={columns}
        rows={keys}
        rowKey={key => key.token_id}
        actions={key =>
          key.status === 'active' && (
            <RowActions>
              <RowAction onClick={() => setRotating(key)}>Rotate</RowAction>
              <RowAction onClick={() => setExpiring(key)}>Change expiry</RowAction>
              <RowAction onClick={() => setRevoking(key)}>Revoke</RowAction>
            </RowActions>
          )
        }
      />
      <ConfirmDialog
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? 'this key'}?`}
        confirmLabel="Revoke key"
        danger
        onConfirm={() => revoke.mutateAsync(revoking!.token_id)}
      >
        Requests signed with this key are refused from now on. This can't be undone. If the key is in use,
        create a replacement first.
        {revoking?.kind === 'probe' && <UsedBy apiKey={revoking} />}
      </ConfirmDialog>
      {rotating && <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(undefined)} />}
      {expiring && <ExpiryDialog apiKey={expiring} onClose={() => setExpiring(undefined)} />}
    </>
  );
}

/** The probes that use a key. Those of a system are on one page. */
function UsedBy({ apiKey: { token_id, system_id } }: { readonly apiKey: ApiKey }) {
  const probes = useProbes(system_id === null ? {} : { system_id });
  const names = probes.data?.pages
    .flatMap(page => page.probes)
    .flatMap(({ name, key }) => (key.id === token_id ? name : []));
  if (!names || names.length === 0) return null;
  return (
    <Text size="sm" fw={600} mt="sm">
      In use by {names.length === 1 ? 'the probe' : 'the probes'} {names.join(', ')}. Rotate its key on the
      page of the probe instead.
    </Text>
  );
}

/** The IP addresses that a key may be used from. More than three are collapsed, so that one key does not fill the page. */
function AllowedAddresses({ addresses }: { readonly addresses: readonly string[] }) {
  const list = <Mono size="xs">{addresses.join(', ')}</Mono>;
  if (addresses.length <= 3) return <Dimmed size="xs">Allowed addresses: {list}</Dimmed>;
  return (
    <Text c="dimmed" component="details" size="xs">
      <summary>{addresses.length} allowed addresses</summary>
      {list}
    </Text>
  );
}
