import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { outdatedAfterDays } from '../../../src/contract/dashboard/outdated.ts';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './overview.module.css';

/** Severe findings, sources that were never scanned, and sources that need a next step. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const to = useOrganizationPaths();
  const { attention: sources, attention_total: total, not_scanned, open } = overview;
  const severe = open.critical + open.high;
  if (total === 0 && severe === 0) {
    return (
      <Text c="dimmed" size="sm">
        {overview.sources === 0
          ? 'No sources yet. Add a website or database to start scanning.'
          : 'No critical or high finding is open, and no source waits for a step of yours. What scans could not assess is on the page of each source.'}
      </Text>
    );
  }
  return (
    <>
      {severe > 0 && (
        <Anchor component={Link} to={to.section('findings', { severity: 'critical,high' })} size="sm">
          {counted(severe, 'critical or high finding')} open
        </Anchor>
      )}
      {not_scanned > 0 && (
        <Text size="sm">
          {not_scanned === overview.sources
            ? 'No source has been scanned.'
            : `${counted(not_scanned, 'source')} never scanned. The score does not count ${not_scanned === 1 ? 'it' : 'them'}.`}
        </Text>
      )}
      <ul className={classes.rows}>
        {sources.map(source => (
          <li key={source.id}>
            <Stack gap={0} className={classes.why ?? ''}>
              <Anchor component={Link} to={to.object('sources', source.id)} fw={500}>
                {source.name}
              </Anchor>
              <Text size="sm" c="dimmed">
                {whyOf(source)}
              </Text>
            </Stack>
            <StatusBadge status={source.status} />
          </li>
        ))}
      </ul>
      {total > sources.length && (
        <Anchor component={Link} to={to.section('sources')} size="sm">
          {(total - sources.length).toLocaleString()} more
        </Anchor>
      )}
    </>
  );
}

function whyOf({ last_scan, status, state }: SourceRow): string {
  if (last_scan?.status === 'failed' && status === 'connected') {
    return 'The last scan assessed nothing. Open it to see why.';
  }
  const ended = last_scan?.finished_at;
  if (ended && Date.now() - Date.parse(ended) > outdatedAfterDays * 86_400_000) {
    return `Its last scan is more than ${outdatedAfterDays} days old. Scan it again.`;
  }
  return state.next?.text ?? state.allows;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}
