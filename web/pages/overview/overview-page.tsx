import { Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { useOverview } from '../../api/overview.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowList, RowText } from '../../components/row-list.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { BigScore } from '../../components/score.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityTiles } from '../../components/severity-counts.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { FixFirst } from '../findings/fix-first.tsx';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';
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
      {data.fix_first.length > 0 && (
        <div className={classes.wide}>
          <FixFirst checks={data.fix_first} href={category => to.section('findings', { category })} />
        </div>
      )}
      <Section title="Open findings" actions={<TextLink to={to.section('findings')}>All findings</TextLink>}>
        {data.score === null ? (
          <Text c="dimmed">Not scanned. No scan has assessed a source yet.</Text>
        ) : (
          <>
            <SeverityTiles open={data.open} href={severity => to.section('findings', { severity })} />
            <Overdue overview={data} />
          </>
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
      {data.backup && (
        <div className={classes.wide}>
          <LastBackup at={data.backup.last_at} />
        </div>
      )}
    </div>
  );
}

/** What is late, and what of it is the reader's. */
function Overdue({ overview }: { readonly overview: Overview }) {
  const to = useOrganizationPaths();
  const { overdue, mine_overdue } = overview;
  if (overdue === 0) return <Dimmed mt="sm">No findings are overdue.</Dimmed>;
  return (
    <Text size="sm" mt="sm">
      <TextLink to={to.section('findings', { due: 'overdue' })} fw={600}>
        {overdue.toLocaleString()} overdue
      </TextLink>
      {mine_overdue > 0 && (
        <>
          {', '}
          <TextLink to={to.section('findings', { due: 'overdue', owner: 'me' })}>
            {mine_overdue.toLocaleString()} assigned to you
          </TextLink>
        </>
      )}
    </Text>
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

/** For owners, who would otherwise learn that backups are missing when they need one. */
function LastBackup({ at }: { readonly at: string | null }) {
  if (at === null) return <Dimmed>This installation has not been backed up yet.</Dimmed>;
  return (
    <Dimmed>
      Last backup of this installation: <RelativeTime at={at} />
    </Dimmed>
  );
}

/** What has changed since the person's last visit. */
function Changes({ changes }: { readonly changes: Overview['changes'] }) {
  const to = useOrganizationPaths();
  const { since } = changes;
  if (since === null) return <Dimmed>On your next visit, this shows what has changed since.</Dimmed>;
  const entries = [
    { label: 'New', count: changes.opened, query: { status: 'any', new_since: since } },
    { label: 'Reopened', count: changes.reopened, query: { status: 'any', reopened_since: since } },
    { label: 'Resolved', count: changes.resolved, query: { status: 'resolved', order: 'last_seen' } },
    { label: 'Triaged', count: changes.decided, query: { status: 'accepted,false_positive' } },
  ];
  return (
    <>
      <ul className={classes.changes}>
        {entries.map(({ label, count, query }) => (
          <li key={label}>
            <Link to={to.section('findings', query)}>
              <span className="tabular">{count.toLocaleString()}</span> {label}
            </Link>
          </li>
        ))}
      </ul>
      <Dimmed>
        Since your last visit, <RelativeTime at={since} />
      </Dimmed>
    </>
  );
}

function RunningScans({ scans }: { readonly scans: Overview['running'] }) {
  const to = useOrganizationPaths();
  if (scans.length === 0) return <Dimmed>No scans are running.</Dimmed>;
  return (
    <RowList>
      {scans.map(scan => (
        <li key={scan.id}>
          <RowText>
            <TextLink to={to.object('scans', scan.id)} size="md" fw={500}>
              {scan.target.name}
            </TextLink>
            <Dimmed>
              Requested <RelativeTime at={scan.created_at} />
            </Dimmed>
          </RowText>
          <ScanProgress scan={scan} />
        </li>
      ))}
    </RowList>
  );
}
