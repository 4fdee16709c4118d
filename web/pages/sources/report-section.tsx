import { Alert, Stack, Text } from '@mantine/core';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { intervalText } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { NextTry } from '../probes/next-try.tsx';
import { ProbeAlert } from '../probes/probe-alert.tsx';
import { probeState } from '../probes/probe-state.ts';

/** What a probe reports on the source, which it connects to instead of Parapet. */
export function ReportSection({ source }: { readonly source: SourceDetail }) {
  const { report } = source;
  return (
    <Section
      title="Probe"
      description="A probe connects to this source. Its credential and data stay with the probe."
    >
      {report ? <Report report={report} /> : <NoReport dropped={source.dropped} />}
    </Section>
  );
}

function NoReport({ dropped }: Pick<SourceDetail, 'dropped'>) {
  const to = useOrganizationPaths();
  if (!dropped) return <Dimmed>The newest report appears here. No probe has reported yet.</Dimmed>;
  const { probe, removed, dropped_at } = dropped;
  const since = <RelativeTime at={dropped_at} />;
  return (
    <Alert color="orange" variant="light" title="No probe assesses this source">
      {removed ? (
        <>
          The probe {probe.name} was removed {since}.
        </>
      ) : (
        <>
          The configuration of{' '}
          <TextLink to={to.object('probes', probe.id)} underline="always">
            {probe.name}
          </TextLink>{' '}
          no longer names this source: its first report without it came {since}.
        </>
      )}{' '}
      Add it to the targets of a probe, or disconnect it.
    </Alert>
  );
}

function Report({ report }: { readonly report: NonNullable<SourceDetail['report']> }) {
  const to = useOrganizationPaths();
  const { probe, state, error, checked_at, reported_at, every_seconds, latency_ms } = report;
  const reporter = probeState(probe);
  return (
    <Stack gap="md">
      <ProbeAlert probe={probe} />
      {reporter !== 'reporting' && (
        <Text size="sm">Nothing assesses this source until the probe reports again.</Text>
      )}
      {error && (
        <Alert color="red" variant="light" title="The probe could not assess it">
          {error} {reporter === 'reporting' && <NextTry {...report} />}
        </Alert>
      )}
      <Facts>
        <Fact name="Probe">
          <TextLink to={to.object('probes', probe.id)} underline="always">
            {probe.name}
          </TextLink>
        </Fact>
        <Fact name="Status">
          <StatusBadge status={reporter === 'reporting' ? state : reporter} />
        </Fact>
        <Fact name={state === 'failing' ? 'Last attempt' : 'Last assessed'}>
          {checked_at ? (
            <>
              <RelativeTime at={checked_at} />
              {state === 'ok' && `, connected in ${latency_ms.toLocaleString()} ms`}
            </>
          ) : (
            'Not yet'
          )}
        </Fact>
        <Fact name="Last report">
          <RelativeTime at={reported_at} />
        </Fact>
        <Fact name="Schedule">{intervalText(every_seconds)}</Fact>
      </Facts>
    </Stack>
  );
}
