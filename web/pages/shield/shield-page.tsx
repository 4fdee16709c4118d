import { Button, Stack } from '@mantine/core';
import { IconShield } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ShieldOverview, ShieldSource } from '../../../src/contract/dashboard/shield.ts';
import { useShields } from '../../api/shield.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table-column.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { InventorySection } from '../probes/inventory-section.tsx';
import { crowdsecText } from './crowdsec-report.tsx';
import { FirewallsTable } from './firewalls-table.tsx';
import { NotCounted } from './not-counted.tsx';
import { ShieldState } from './shield-state.tsx';

/** Websites with Shield, and the forwarders that report on them. */
export default function ShieldPage() {
  const shields = useShields();
  return (
    <>
      <PageHeader
        title="Shield"
        description="What web application firewalls blocked and detected in the last seven days."
      />
      <Loaded query={shields}>{data => <Shields {...data} />}</Loaded>
    </>
  );
}

const columns: readonly Column<ShieldSource>[] = [
  { header: 'Website', render: ({ name }) => name },
  { header: 'State', render: source => <ShieldState {...source} /> },
  { header: 'System', render: ({ system }) => system.name },
  { header: 'Host', wideOnly: true, render: ({ host }) => host },
  { header: 'Blocked', align: 'right', render: source => countText(source, source.blocked) },
  { header: 'Detected', align: 'right', render: source => countText(source, source.detected) },
];

/** Without a firewall that reports requests, none is not a count. */
function countText({ state }: ShieldSource, count: number): string {
  return count === 0 && state !== 'on' && state !== 'silent' ? '–' : count.toLocaleString();
}

function Shields({ sources, forwarders }: ShieldOverview) {
  const to = useOrganizationPaths();
  const firewalls = forwarders.flatMap(({ name, system, firewalls, used }) =>
    firewalls.map(firewall => ({ ...firewall, forwarder: `${name} (${system.name})`, unused: !used })),
  );
  return (
    <Stack>
      {sources.length > 0 ? (
        <DataTable
          caption="Websites with Shield"
          columns={columns}
          rows={sources}
          rowKey={({ id }) => id}
          href={({ id }) => to.object('sources', id)}
        />
      ) : (
        <EmptyState
          icon={IconShield}
          title="No website has Shield"
          action={
            <Button component={Link} to={to.section('sources')} variant="default">
              Go to sources
            </Button>
          }
        >
          Shield reports what the web application firewall in front of a website blocks and detects. Turn it
          on for a website.
        </EmptyState>
      )}
      {forwarders.length > 0 && (
        <Section title="Forwarders">
          <Stack gap="xs">
            <FirewallsTable firewalls={firewalls} />
            {forwarders.map(
              ({ id, name, system, crowdsec }) =>
                crowdsec && (
                  <Dimmed key={id} className="tabular">
                    CrowdSec of {name} ({system.name}): {crowdsecText(crowdsec)}.
                  </Dimmed>
                ),
            )}
            <NotCounted forwarders={forwarders} />
          </Stack>
        </Section>
      )}
      <InventorySection filters={{ via: 'firewall' }} />
    </Stack>
  );
}
