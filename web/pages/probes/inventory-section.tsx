import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { InventoryItem, InventoryKey, ListInventory } from '../../../src/contract/dashboard/probes.ts';
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
    render: ({ probe }) =>
      probe ? (
        <TwoLines title={probe.name} detail="Listens on its host" />
      ) : (
        <TwoLines title="Firewall" detail="Receives requests for it" />
      ),
  },
  { header: 'Reported', render: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
];

interface Props {
  readonly title?: string;
  readonly filters?: ListInventory;
}

/** Databases and websites that probes and firewalls saw. Nothing if there are none, or while they load. */
export function InventorySection({ title = 'Seen, not a source yet', filters = {} }: Props) {
  const { canOperate } = useOrganization();
  const { data } = useInventory(filters);
  // Of the section, since a row disappears before its change has ended.
  const adopt = useAdopt();
  const dismiss = useDismiss();
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  if (!data || data.inventory.length === 0) return null;
  const error = adopt.error ?? dismiss.error;
  const keyOf = ({ system, kind, host }: InventoryItem) => ({ system_id: system.id, kind, host });
  const isOf = (item: InventoryItem, key: InventoryKey | undefined) =>
    key !== undefined && JSON.stringify(keyOf(item)) === JSON.stringify(key);
  const actions = (item: InventoryItem) => (
    <RowActions>
      <RowAction
        loading={adopt.isPending && isOf(item, adopt.variables)}
        onClick={() =>
          adopt.mutate(keyOf(item), { onSuccess: ({ source }) => navigate(to.object('sources', source.id)) })
        }
      >
        Adopt
      </RowAction>
      <RowAction
        loading={dismiss.isPending && isOf(item, dismiss.variables)}
        onClick={() => dismiss.mutate(keyOf(item), { onSuccess: () => notify(`${item.host} dismissed`) })}
      >
        Dismiss
      </RowAction>
    </RowActions>
  );
  return (
    <Section
      title={title}
      description="Probes and firewalls saw these databases and websites, and nothing assesses them. Adopt one to add it as a source."
    >
      <DataTable
        caption={title}
        columns={columns}
        rows={data.inventory}
        rowKey={item => JSON.stringify(keyOf(item))}
        actions={canOperate ? actions : undefined}
      />
      <FormError error={error} />
      {fieldError(error, 'host') && (
        <Text size="sm" c="red" role="alert">
          Host: {fieldError(error, 'host')}
        </Text>
      )}
      {data.more && <Dimmed mt="sm">There are more. Adopt or dismiss some to see them.</Dimmed>}
    </Section>
  );
}
