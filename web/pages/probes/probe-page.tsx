import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import type { ProbeDetail } from '../../../src/contract/dashboard/probes.ts';
import { useProbe } from '../../api/probes.ts';
import { useOrganization } from '../../api/session.ts';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { InventorySection } from './inventory-section.tsx';
import { KeySection } from './key-section.tsx';
import { probeState } from './probe-state.ts';
import { RemoveSection } from './remove-section.tsx';
import { ReportsSection } from './reports-section.tsx';
import { StateSection } from './state-section.tsx';

export default function ProbePage() {
  const { probeId = '' } = useParams();
  const to = useOrganizationPaths();
  const probe = useProbe(probeId);
  const { data } = probe;
  return (
    <>
      <PageHeader
        title={data?.name ?? 'Probe'}
        aside={data && <StatusBadge status={probeState(data)} />}
        description={data && `Probe of ${data.system.name} · Version ${data.version}`}
        back={{ to: to.section('probes'), label: 'Probes' }}
        actions={
          data && (
            <TextLink to={to.section('events', { system_id: data.system.id, probe_id: data.id })}>
              Events of this probe
            </TextLink>
          )
        }
      />
      <Loaded
        query={probe}
        skeleton={
          <Stack>
            <CardSkeleton height={260} />
            <CardSkeleton height={200} />
          </Stack>
        }
      >
        {loaded => <Parts key={loaded.id} probe={loaded} />}
      </Loaded>
    </>
  );
}

function Parts({ probe }: { readonly probe: ProbeDetail }) {
  const { canOperate } = useOrganization();
  return (
    <Stack>
      <StateSection probe={probe} />
      <ReportsSection probe={probe} />
      <KeySection probe={probe} canRotate={canOperate} />
      {probe.silent_since && canOperate && <RemoveSection probe={probe} />}
      <InventorySection
        title={`Seen in ${probe.system.name}, not a source yet`}
        filters={{ system_id: probe.system.id }}
      />
    </Stack>
  );
}
