import { Text } from '@mantine/core';
import type { ControlGap } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Checks that could not be assessed, by source, with the reason. */
export function NotAssessedChecks({ gaps }: { readonly gaps: readonly ControlGap[] }) {
  const to = useOrganizationPaths();
  return (
    <ul className={classes.rows}>
      {gaps.map(gap => (
        <li key={`${gap.check} ${gap.source_id}`}>
          <Text size="sm">
            “{gap.title}” on{' '}
            <TextLink to={to.object('sources', gap.source_id)} underline="always">
              {gap.source_name}
            </TextLink>
          </Text>
          <Dimmed>{gap.reason}</Dimmed>
        </li>
      ))}
    </ul>
  );
}
