import { Text } from '@mantine/core';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { useOverview } from '../../api/overview.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { BigScore } from '../../components/score.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityTiles } from '../../components/severity-counts.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { Attention } from './attention.tsx';
import { Changes } from './changes.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';
import { RunningScans } from './running-scans.tsx';
import { scoreChange } from './score-change.ts';
import { Trend } from './trend.tsx';

/** What is wrong, how severe it is, what to do next, and whether it is getting better. */
export default function OverviewPage() {
  const overview = useOverview();
  return (
    <>
      <PageHeader title="Overview" />
      <Loaded query={overview} skeleton={<Skeletons />}>
        {data => (data.scans === 0 ? <FirstSteps overview={data} /> : <Board overview={data} />)}
      </Loaded>
    </>
  );
}

function Board({ overview: data }: { readonly overview: Overview }) {
  const to = useOrganizationPaths();
  return (
    <div className={classes.grid}>
      <div className={classes.wide}>
        <Section title="Posture">
          <div className={classes.top}>
            <div>
              <BigScore score={data.score} />
              <Dimmed>{scoreChange(data.trend)}</Dimmed>
            </div>
            <Trend trend={data.trend} />
          </div>
        </Section>
      </div>
      <Section title="Open findings" actions={<TextLink to={to.section('findings')}>All findings</TextLink>}>
        {data.score === null ? (
          <Text c="dimmed">Not scanned. No scan has assessed a source yet.</Text>
        ) : (
          <SeverityTiles open={data.open} href={severity => to.section('findings', { severity })} />
        )}
      </Section>
      <Section title="Recent changes">
        <Changes changes={data.changes} />
      </Section>
      <Section title="Needs attention">
        <Attention overview={data} />
      </Section>
      <Section title="Running scans" actions={<TextLink to={to.section('scans')}>All scans</TextLink>}>
        <RunningScans scans={data.running} />
      </Section>
    </div>
  );
}

function Skeletons() {
  return (
    <div className={classes.grid}>
      <div className={classes.wide}>
        <CardSkeleton height={268} />
      </div>
      <CardSkeleton height={168} />
      <CardSkeleton height={168} />
      <CardSkeleton height={220} />
      <CardSkeleton height={220} />
    </div>
  );
}
