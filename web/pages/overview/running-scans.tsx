import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './overview.module.css';

export function RunningScans({ scans }: { readonly scans: Overview['running'] }) {
  const to = useOrganizationPaths();
  if (scans.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        Nothing is being scanned at the moment.
      </Text>
    );
  }
  return (
    <ul className={classes.rows}>
      {scans.map(scan => (
        <li key={scan.id}>
          <Stack gap={0} className={classes.why ?? ''}>
            <Anchor component={Link} to={to.object('scans', scan.id)} fw={500}>
              {scan.target.name}
            </Anchor>
            <Text size="sm" c="dimmed">
              <RelativeTime at={scan.created_at} />
            </Text>
          </Stack>
          <ScanProgress scan={scan} />
        </li>
      ))}
    </ul>
  );
}
