import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ControlFinding } from '../../../src/contract/dashboard/controls.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './controls.module.css';

/** Open ones, then accepted ones, the worst first. Each leads to the finding itself. */
export function ControlFindings({ findings }: { readonly findings: readonly ControlFinding[] }) {
  const to = useOrganizationPaths();
  return (
    <ul className={classes.rows}>
      {findings.map(finding => (
        <li key={finding.id}>
          <Stack gap={2}>
            <Group gap="sm" justify="space-between">
              <Anchor
                component={Link}
                to={to.section('findings', { status: 'any', finding: finding.id })}
                size="sm"
                fw={500}
              >
                {finding.title}
              </Anchor>
              <SeverityBadge severity={finding.severity} />
            </Group>
            <Text size="sm">{finding.seen}</Text>
            <Text size="xs" c="dimmed">
              {finding.source_name}, first seen <RelativeTime at={finding.created_at} />
              {finding.status === 'accepted' && finding.accepted_until && (
                <>
                  ; the acceptance ends <RelativeTime at={finding.accepted_until} />
                </>
              )}
            </Text>
          </Stack>
        </li>
      ))}
    </ul>
  );
}
