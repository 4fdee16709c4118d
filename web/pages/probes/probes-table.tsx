import type { ProbeRow } from '../../../src/contract/dashboard/probes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { counted } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { probeState } from './probe-state.ts';
import { SpoolText, TargetCounts } from './probe-texts.tsx';

const columns: readonly Column<ProbeRow>[] = [
  {
    header: 'Probe',
    render: ({ name, version }) => <TwoLines title={name} detail={`Version ${version}`} />,
  },
  { header: 'System', render: ({ system }) => system.name },
  {
    header: 'Status',
    render: ({ ignored, ...probe }) => (
      <div>
        <StatusBadge status={probeState(probe)} />
        {ignored.count > 0 && <Dimmed size="xs">{counted(ignored.count, 'report')} ignored</Dimmed>}
      </div>
    ),
  },
  { header: 'Targets', render: probe => <TargetCounts probe={probe} /> },
  { header: 'Spool', render: ({ spool }) => <SpoolText spool={spool} /> },
  {
    header: 'Key expires',
    wideOnly: true,
    render: ({ key }) =>
      key.revoked_at ? 'Revoked' : key.expires_at ? <RelativeTime at={key.expires_at} /> : '–',
  },
  { header: 'Last seen', render: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
];

export function ProbesTable({ probes }: { readonly probes: readonly ProbeRow[] }) {
  const to = useOrganizationPaths();
  return (
    <DataTable
      caption="Probes"
      columns={columns}
      rows={probes}
      rowKey={probe => probe.id}
      href={probe => to.object('probes', probe.id)}
    />
  );
}
