import { Group, Stack, Text } from '@mantine/core';
import type { ControlFinding } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Open findings, then accepted ones, most severe first. */
export function ControlFindings({ findings }: { readonly findings: readonly ControlFinding[] }) {
  const to = useOrganizationPaths();
  return (
    <ul className={classes.rows}>
      {findings.map(finding => (
        <li key={finding.id}>
          <Stack gap={2}>
            <Group gap="sm" justify="space-between">
              <TextLink to={to.section('findings', { status: 'any', finding: finding.id })} fw={500}>
                {finding.title}
              </TextLink>
              <SeverityBadge severity={finding.severity} />
            </Group>
            <Text size="sm">{finding.seen}</Text>
            <Dimmed size="xs">
              {finding.source_name}, first seen <RelativeTime at={finding.created_at} />
              {finding.status === 'accepted' && finding.accepted_until && (
                <>
                  , acceptance expires <RelativeTime at={finding.accepted_until} />
                </>
              )}
            </Dimmed>
          </Stack>
        </li>
      ))}
    </ul>
  );
}
