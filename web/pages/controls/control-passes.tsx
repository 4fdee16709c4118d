import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ControlPass } from '../../../src/contract/dashboard/controls.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Passes of checks that can show the safeguard working: on which source, and when. */
export function ControlPasses({ passes }: { readonly passes: readonly ControlPass[] }) {
  const to = useOrganizationPaths();
  return (
    <ul className={classes.rows}>
      {passes.map(pass => (
        <li key={`${pass.check} ${pass.source_id}`}>
          <Text size="sm">
            “{pass.title}” not found on{' '}
            <Anchor component={Link} to={to.object('sources', pass.source_id)} size="sm" underline="always">
              {pass.source_name}
            </Anchor>
          </Text>
          <Text size="xs" c="dimmed">
            <code>{pass.check}</code> passed <RelativeTime at={pass.passed_at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
