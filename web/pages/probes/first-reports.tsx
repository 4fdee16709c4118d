import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ProbeDetail, ProbeRow } from '../../../src/contract/dashboard/probes.ts';
import { readablePlace } from '../../../src/contract/readable-place.ts';
import { useFindings } from '../../api/findings.ts';
import { useProbe, useProbes } from '../../api/probes.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Loaded } from '../../components/loading.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowList, RowText } from '../../components/row-list.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { NextTry } from './next-try.tsx';
import type { Added, BlockTarget } from './probe-block.ts';

/** Milliseconds between refreshes. */
const often = 2000;
/** Findings shown per target. */
const fewFindings = 5;

/** Waits for the first heartbeat, then for the first assessment of each target, and shows its findings. */
export function FirstReports({ added }: { readonly added: Added }) {
  const probes = useProbes({ system_id: added.systemId }, often);
  return (
    <Section title="First reports">
      <Loaded query={probes}>
        {({ pages }) => {
          const probe = pages
            .flatMap(page => page.probes)
            .find(({ name, key }) => name === added.name && key.id === added.key.token_id);
          return probe ? (
            <Reports probe={probe} targets={added.targets} />
          ) : (
            <Stack gap="xs">
              <Waiting>Waiting for the first heartbeat of {added.name}. This page updates itself.</Waiting>
              <Dimmed>
                If a line of the commands begins with FAILED, correct /etc/parapet/probe.yaml. Then run{' '}
                <code>parapet-probe check &gt; /dev/null</code> and <code>parapet-probe run</code>; in another
                folder, with <code>--config</code> and the file.
              </Dimmed>
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Waiting({ children }: { readonly children: ReactNode }) {
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <Loader size="xs" aria-hidden />
      <Text size="sm">{children}</Text>
    </Group>
  );
}

interface ReportsProps {
  readonly probe: ProbeRow;
  readonly targets: readonly BlockTarget[];
}

function Reports({ probe: { id, name, last_seen_at }, targets }: ReportsProps) {
  const probe = useProbe(id, often);
  const to = useOrganizationPaths();
  return (
    <Stack>
      <Alert color="teal" variant="light" title={`${name} reports`} role="status">
        Last seen <RelativeTime at={last_seen_at} />.{' '}
        <TextLink to={to.object('probes', id)} underline="always">
          Open the probe
        </TextLink>
      </Alert>
      {targets.map(target => (
        <FirstAssessment
          key={target.sourceId}
          target={target}
          report={probe.data?.reports.find(({ source }) => source.id === target.sourceId)}
        />
      ))}
    </Stack>
  );
}

interface AssessmentProps {
  readonly target: BlockTarget;
  readonly report: ProbeDetail['reports'][number] | undefined;
}

function FirstAssessment({ target, report }: AssessmentProps) {
  const to = useOrganizationPaths();
  return (
    <Stack gap="xs">
      <Group gap="md">
        <TextLink to={to.object('sources', target.sourceId)} fw={600}>
          {report?.source.name ?? target.name}
        </TextLink>
        {report?.open && <SeverityCounts open={report.open} scanned />}
      </Group>
      {report?.error && (
        <Alert color="red" variant="light" title="The probe could not assess it">
          {report.error} <NextTry {...report} />
        </Alert>
      )}
      {!report?.error && !report?.open && <Waiting>Waiting for the first assessment.</Waiting>}
      {report?.open && <FirstFindings sourceId={target.sourceId} />}
    </Stack>
  );
}

function FirstFindings({ sourceId }: { readonly sourceId: string }) {
  const to = useOrganizationPaths();
  const findings = useFindings({ source_id: sourceId, status: 'open' }, { refetchInterval: often });
  return (
    <Loaded query={findings}>
      {({ pages }) => {
        const all = pages.flatMap(page => page.findings);
        if (all.length === 0) return <Dimmed>Assessed. No findings.</Dimmed>;
        return (
          <>
            <RowList label="Findings">
              {all.slice(0, fewFindings).map(({ id, title, severity, category, locator }) => (
                <li key={id}>
                  <RowText>
                    <TextLink to={to.section('findings', { source_id: sourceId, finding: id })}>
                      {title}
                    </TextLink>
                    <Dimmed size="xs" style={{ overflowWrap: 'anywhere' }}>
                      {readablePlace(category, locator)}
                    </Dimmed>
                  </RowText>
                  <SeverityBadge severity={severity} />
                </li>
              ))}
            </RowList>
            <TextLink to={to.section('findings', { source_id: sourceId })}>
              All findings of this source
            </TextLink>
          </>
        );
      }}
    </Loaded>
  );
}
