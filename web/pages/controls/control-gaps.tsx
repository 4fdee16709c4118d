import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ControlGap } from '../../../src/contract/dashboard/controls.ts';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Checks that could not be assessed: on which source, and why. */
export function ControlGaps({ gaps }: { readonly gaps: readonly ControlGap[] }) {
  const to = useOrganizationPaths();
  return (
    <ul className={classes.rows}>
      {gaps.map(gap => (
        <li key={`${gap.check} ${gap.source_id}`}>
          <Text size="sm">
            “{gap.title}” on{' '}
            <Anchor component={Link} to={to.object('sources', gap.source_id)} size="sm" underline="always">
              {gap.source_name}
            </Anchor>
          </Text>
          <Text size="sm" c="dimmed">
            {gap.reason}
          </Text>
        </li>
      ))}
    </ul>
  );
}
