import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { useSource } from '../../api/sources.ts';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { ShieldSection } from '../shield/shield-section.tsx';
import { ChangesSection } from './changes-section.tsx';
import { ChecksSection } from './checks-section.tsx';
import { ConnectionSection } from './connection-section.tsx';
import { DisconnectSection } from './disconnect-section.tsx';
import { DomainProofSection } from './domain-proof-section.tsx';
import { LastScanAlert } from './last-scan-alert.tsx';
import { PostureSection } from './posture-section.tsx';
import { ReportSection } from './report-section.tsx';
import { SetupSection } from './setup-section.tsx';
import { kindLabels, statusOf } from './source-labels.ts';
import { WatchSection } from './watch-section.tsx';

export default function SourcePage() {
  const { sourceId = '' } = useParams();
  const source = useSource(sourceId);
  const to = useOrganizationPaths();
  return (
    <>
      <PageHeader
        title={source.data?.name ?? 'Source'}
        aside={
          source.data && (
            <>
              <StatusBadge status={statusOf(source.data)} />
              {source.data.nothing_assessed && source.data.status !== 'disconnected' && (
                <StatusBadge status="failed" label="Last scan failed" />
              )}
            </>
          )
        }
        description={source.data && descriptionOf(source.data)}
        back={{ to: to.section('sources'), label: 'Sources' }}
      />
      <Loaded
        query={source}
        skeleton={
          <Stack>
            <CardSkeleton height={300} />
            <CardSkeleton height={160} />
          </Stack>
        }
      >
        {data => <Parts source={data} />}
      </Loaded>
    </>
  );
}

function descriptionOf({ kind, host, system, connection_mode }: SourceDetail): string {
  const probe = connection_mode === 'probe' ? ' · Probe' : '';
  return `${kindLabels[kind]} · ${system.name} · ${host}${probe}`;
}

function Parts({ source }: { readonly source: SourceDetail }) {
  const { canOperate } = useOrganization();
  const isDraft = source.status === 'draft';
  const isConnected = source.status !== 'disconnected';
  const isProbe = source.connection_mode === 'probe';
  return (
    <Stack>
      {isConnected && <LastScanAlert source={source} />}
      <SetupSection source={source} />
      {(source.last_scan || source.score !== null) && <PostureSection source={source} />}
      {isProbe && !isDraft && isConnected && <ReportSection source={source} />}
      {isProbe && source.last_scan && <ChangesSection sourceId={source.id} />}
      {!isProbe && !isDraft && isConnected && <ConnectionSection source={source} />}
      {!isProbe && source.scan_authorized_at && <WatchSection source={source} />}
      {source.kind === 'website' && isConnected && <ShieldSection source={source} />}
      {!isDraft && source.domain_proof && <DomainProofSection source={source} proof={source.domain_proof} />}
      {source.assessments.length > 0 && <ChecksSection assessments={source.assessments} />}
      {canOperate && isConnected && <DisconnectSection source={source} />}
    </Stack>
  );
}
