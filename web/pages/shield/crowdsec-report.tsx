import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CrowdsecCounts, ShieldDetail } from '../../../src/contract/dashboard/shield.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-column.ts';
import { counted } from '../../formats/numbers.ts';
import { networkText } from './shield-labels.ts';

const origins = {
  crowdsec: 'Scenario',
  cscli: 'Operator',
  capi: 'Community list',
  lists: 'List',
  other: 'Other',
} as const;

type Alert = ShieldDetail['alerts'][number];
const alertColumns: readonly Column<Alert>[] = [
  {
    header: 'Scenario',
    render: ({ scenario, simulated }) => (simulated ? `${scenario} (simulated)` : scenario),
  },
  { header: 'Address or network', render: networkText },
  { header: 'Events', wideOnly: true, align: 'right', render: ({ events }) => events.toLocaleString() },
  { header: 'Time', render: ({ created_at }) => <RelativeTime at={created_at} /> },
];

type Decision = ShieldDetail['decisions'][number];
const decisionColumns: readonly Column<Decision>[] = [
  { header: 'Decision', render: ({ type }) => type },
  { header: 'Address or network', render: networkText },
  {
    header: 'Origin',
    wideOnly: true,
    render: ({ origin }) => origins[origin as keyof typeof origins] ?? origin,
  },
  { header: 'Scenario', wideOnly: true, render: ({ scenario }) => scenario },
  { header: 'Ends', render: ({ ends_at }) => <RelativeTime at={ends_at} /> },
];

/** Counts of CrowdSec in a few words. */
export function crowdsecText({ alerts, active_decisions }: CrowdsecCounts): string {
  if (!active_decisions) return `${counted(alerts, 'alert')}, no decisions reported yet`;
  const { crowdsec, cscli, capi, lists, other } = active_decisions;
  const own = counted(crowdsec + cscli + other, 'active decision');
  const listed = capi + lists === 0 ? '' : ` and ${(capi + lists).toLocaleString()} from lists`;
  return `${counted(alerts, 'alert')}, ${own}${listed}`;
}

/** On a phone, the cards below do not say what they are. */
function Titled({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} fz="sm">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** What CrowdSec reported about the system of a website. */
export function CrowdsecReport({ crowdsec, alerts, decisions }: ShieldDetail) {
  if (!crowdsec) return null;
  return (
    <Stack>
      <Dimmed className="tabular">
        CrowdSec reports addresses, not websites. For the whole system: {crowdsecText(crowdsec)}.
      </Dimmed>
      {decisions.length > 0 && (
        <Titled title="CrowdSec decisions">
          <DataTable
            caption="CrowdSec decisions"
            columns={decisionColumns}
            rows={decisions}
            rowKey={({ forwarder, decision }) => `${forwarder} ${decision}`}
          />
        </Titled>
      )}
      {alerts.length > 0 && (
        <Titled title="CrowdSec alerts">
          <DataTable
            caption="CrowdSec alerts"
            columns={alertColumns}
            rows={alerts}
            rowKey={({ forwarder, alert, created_at }) => `${forwarder} ${alert} ${created_at}`}
          />
        </Titled>
      )}
    </Stack>
  );
}
