import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { InventoryItem, ListInventory } from '../../../src/contract/dashboard/probes.ts';
import { useAdopt, useDismiss, useInventory } from '../../api/probes.ts';
import { useOrganization } from '../../api/session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowAction, RowActions } from '../../components/row-actions.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { fieldError } from '../../forms/error-messages.ts';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { kindLabels } from '../sources/source-labels.ts';

const columns: readonly Column<InventoryItem>[] = [
  { header: 'Host', render: ({ host, kind }) => <TwoLines title={host} detail={kindLabels[kind]} /> },
  { header: 'System', render: ({ system }) => system.name },
  {
    header: 'Seen by',
    render: ({ probe, via }) => (
      <TwoLines
        title={probe.name}
        detail={via === 'listening_socket' ? 'Listens on its host' : 'In a list of databases'}
      />
    ),
  },
  { header: 'Last seen', render: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
];

/** Databases and websites that probes saw. Nothing if there are none, or while they load. */
export function InventorySection({ filters = {} }: { readonly filters?: ListInventory }) {
  const { canOperate } = useOrganization();
  const { data } = useInventory(filters);
  if (!data || data.inventory.length === 0) return null;
  return (
    <Section
      title="Seen, not a source yet"
      description="Probes saw these databases and websites, and nothing assesses them. Adopt one to add it as a source."
    >
      <DataTable
        caption="Seen, not a source yet"
        columns={columns}
        rows={data.inventory}
        rowKey={({ system, kind, host }) => `${system.id} ${kind} ${host}`}
        actions={canOperate ? item => <Actions item={item} /> : undefined}
      />
      {data.more && <Dimmed mt="sm">There are more. Adopt or dismiss some to see them.</Dimmed>}
    </Section>
  );
}

function Actions({ item: { system, kind, host } }: { readonly item: InventoryItem }) {
  const adopt = useAdopt();
  const dismiss = useDismiss();
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  const key = { system_id: system.id, kind, host };
  const error = adopt.error ?? dismiss.error;
  return (
    <>
      <RowActions>
        <RowAction
          loading={adopt.isPending}
          onClick={() =>
            adopt.mutate(key, { onSuccess: ({ source }) => navigate(to.object('sources', source.id)) })
          }
        >
          Adopt
        </RowAction>
        <RowAction
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate(key, { onSuccess: () => notify(`${host} dismissed`) })}
        >
          Dismiss
        </RowAction>
      </RowActions>
      <FormError error={error} />
      {fieldError(error, 'host') && (
        <Text size="sm" c="red" role="alert">
          Host: {fieldError(error, 'host')}
        </Text>
      )}
    </>
  );
}
