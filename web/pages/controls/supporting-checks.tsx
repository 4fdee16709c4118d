import { Text } from '@mantine/core';
import type { ControlPass } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Passed checks that show the safeguard working, by source. */
export function SupportingChecks({ passes }: { readonly passes: readonly ControlPass[] }) {
  const to = useOrganizationPaths();
  return (
    <ul className={classes.rows}>
      {passes.map(pass => (
        <li key={`${pass.check} ${pass.source_id}`}>
          <Text size="sm">
            “{pass.title}” not detected on{' '}
            <TextLink to={to.object('sources', pass.source_id)} underline="always">
              {pass.source_name}
            </TextLink>
          </Text>
          <Dimmed size="xs">
            <code>{pass.check}</code> passed <RelativeTime at={pass.passed_at} />
          </Dimmed>
        </li>
      ))}
    </ul>
  );
}
