import type { ShieldFirewall } from '../../../src/contract/dashboard/shield.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { engineText, ruleSetText } from './shield-labels.ts';
import { Silent } from './shield-state.tsx';

interface Firewall extends ShieldFirewall {
  readonly forwarder: string;
  /** Shield is off for all websites of the system. */
  readonly unused?: boolean;
}

const modes = { block: 'Blocks', detect_only: 'Detects only', off: 'Off', unknown: 'Not known' } as const;
const problems = {
  log_missing: 'Log missing or unreadable',
  log_not_understood: 'Log not understood',
  api_unreachable: 'Local API does not answer',
  api_refused: 'Login or key of the local API refused or unreadable',
} as const;

function State({ unused, silent, last_seen_at, problem }: Firewall) {
  if (unused) {
    return (
      <div>
        <StatusBadge status="off" label="Shield off" />
        <Dimmed size="xs" maw="44ch">
          Not counted or assessed: no website of its system has Shield on.
        </Dimmed>
      </div>
    );
  }
  if (silent) return <Silent lastReport={last_seen_at} />;
  if (problem !== null) return <StatusBadge status="failing" label={problems[problem]} />;
  return <StatusBadge status="on" />;
}

const columns: readonly Column<Firewall>[] = [
  { header: 'Forwarder', render: ({ forwarder }) => forwarder },
  { header: 'State', render: firewall => <State {...firewall} /> },
  { header: 'Firewall', render: ({ engine, version }) => engineText(engine, version) },
  { header: 'Mode', render: ({ engine, mode }) => (engine === 'crowdsec' ? '–' : modes[mode]) },
  {
    header: 'Rules',
    wideOnly: true,
    render: ({ rule_set, rule_set_version }) => ruleSetText(rule_set, rule_set_version),
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
