import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useRevokeKey } from '../../api/keys.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ExpireDialog } from './expire-dialog.tsx';
import classes from './settings.module.css';

export function KeysTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const systems = useSystemNames();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [expiring, setExpiring] = useState<ApiKey>();
  const revoke = useRevokeKey();
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: 'Key',
      render: key => (
        <div>
          <Text fw={600}>{key.name ?? 'Without a name'}</Text>
          <Text size="xs" c="dimmed" ff="monospace" className={classes.id}>
            {key.token_id}
          </Text>
          {key.allowed_addresses.length > 0 && <AllowedAddresses addresses={key.allowed_addresses} />}
        </div>
      ),
    },
    {
      key: 'kind',
      header: 'Kind',
      render: key =>
        key.kind === 'dashboard' ? 'Dashboard' : `Probe of ${systems.data?.get(key.system_id ?? '') ?? '…'}`,
    },
    {
      key: 'scopes',
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
    { key: 'status', header: 'Status', render: key => <StatusBadge status={key.status} /> },
    {
      key: 'used',
      header: 'Last used',
      render: key => (key.last_used_at ? <RelativeTime at={key.last_used_at} /> : 'Never'),
    },
    {
      key: 'expires',
      header: 'Ends',
      render: key => <RelativeTime at={key.revoked_at ?? key.expires_at} />,
    },
    {
      key: 'acts',
      header: 'Actions',
      actions: true,
      align: 'right',
      render: key =>
        key.status === 'active' && (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <Button variant="subtle" size="xs" onClick={() => setExpiring(key)}>
              Expire earlier
            </Button>
            <Button variant="subtle" size="xs" onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </Group>
        ),
    },
  ];
  return (
    <>
      <DataTable caption="API keys" columns={columns} rows={keys} rowKey={key => key.token_id} />
      <ConfirmDialog
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? 'this key'}?`}
        confirmLabel="Revoke key"
        danger
        onConfirm={() => revoke.mutateAsync(revoking!.token_id)}
      >
        Every request that it signs is refused from now on, for good. Where it is in use, mint another key
        first.
      </ConfirmDialog>
      {expiring && <ExpireDialog apiKey={expiring} onClose={() => setExpiring(undefined)} />}
    </>
  );
}

/** More than a few are behind a disclosure, so that one key does not fill the page. */
function AllowedAddresses({ addresses }: { readonly addresses: readonly string[] }) {
  const list = (
    <Text span size="xs" ff="monospace" className={classes.id}>
      {addresses.join(', ')}
    </Text>
  );
  if (addresses.length <= 3) {
    return (
      <Text size="xs" c="dimmed">
        Allowed addresses: {list}
      </Text>
    );
  }
  return (
    <Text component="details" size="xs" c="dimmed">
      <summary>{addresses.length} allowed addresses</summary>
      {list}
    </Text>
  );
}
