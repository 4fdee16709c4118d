import type { ShieldFirewall } from '../../../src/contract/dashboard/shield.ts';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-column.ts';

type Firewall = ShieldFirewall & { readonly forwarder: string };

const modes = { block: 'Blocks', detect_only: 'Detects only', off: 'Off', unknown: 'Not known' } as const;
const problems = {
  log_missing: 'Log missing or unreadable',
  api_unreachable: 'Local API does not answer',
  api_refused: 'Local API refuses the login or key',
} as const;

function State({ silent, last_seen_at, problem, records, malformed }: Firewall) {
  if (silent) {
    return (
      <>
        Silent since <RelativeTime at={last_seen_at} />
      </>
    );
  }
  if (problem !== null) return problems[problem];
  return records && records === malformed ? 'Log not understood' : 'On';
}

const columns: readonly Column<Firewall>[] = [
  { header: 'Forwarder', render: ({ forwarder }) => forwarder },
  { header: 'State', render: firewall => <State {...firewall} /> },
  { header: 'Firewall', render: ({ engine, version }) => [engine, version].join(' ').trim() },
  { header: 'Mode', render: ({ engine, mode }) => (engine === 'crowdsec' ? '–' : modes[mode]) },
  {
    header: 'Rules',
    wideOnly: true,
    render: ({ rule_set, rule_set_version }) => [rule_set ?? '–', rule_set_version].join(' ').trim(),
  },
  {
    header: 'Not understood',
    wideOnly: true,
    align: 'right',
    render: ({ malformed }) => malformed?.toLocaleString() ?? '–',
  },
];

/** Forwarders with the firewalls on which they report. */
export function FirewallsTable({ firewalls }: { readonly firewalls: readonly Firewall[] }) {
  if (firewalls.length === 0) return null;
  return (
    <DataTable
      caption="Forwarders"
      columns={columns}
      rows={firewalls}
      rowKey={({ forwarder, engine, last_seen_at }) => `${forwarder} ${engine} ${last_seen_at}`}
    />
  );
}
