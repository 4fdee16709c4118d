import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './overview.module.css';

/** Sources that are not what they were added for, each with why and what is next. */
export function Attention({
  sources,
  total,
}: {
  readonly sources: Overview['attention'];
  readonly total: number;
}) {
  const to = useOrganizationPaths();
  if (total === 0) {
    return (
      <Text c="dimmed" size="sm">
        Every source is connected, authorized and was seen by its last scan.
      </Text>
    );
  }
  return (
    <>
      <ul className={classes.rows}>
        {sources.map(source => (
          <li key={source.id}>
            <Stack gap={0} className={classes.why ?? ''}>
              <Anchor component={Link} to={to.object('sources', source.id)} fw={500}>
                {source.name}
              </Anchor>
              <Text size="sm" c="dimmed">
                {source.last_scan?.status === 'failed' && source.status === 'connected'
                  ? 'Its last scan saw nothing: see why.'
                  : (source.state.next?.text ?? source.state.allows)}
              </Text>
            </Stack>
            <StatusBadge status={source.status} />
          </li>
        ))}
      </ul>
      {total > sources.length && (
        <Anchor component={Link} to={to.section('sources')} size="sm">
          {total - sources.length} more
        </Anchor>
      )}
    </>
  );
}
