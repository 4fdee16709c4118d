import { Group, Stack, Text, Title } from '@mantine/core';
import type { ControlDetail } from '../../../src/contract/dashboard/controls.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Attestations } from './attestations.tsx';
import { ControlChecks } from './control-checks.tsx';
import { ControlFindings } from './control-findings.tsx';
import { ControlGaps } from './control-gaps.tsx';
import { ControlNotes } from './control-notes.tsx';
import { ControlPasses } from './control-passes.tsx';
import { ControlSources } from './control-sources.tsx';
import classes from './controls.module.css';
import { Part } from './part.tsx';

/** What a control asks for, how it stands, and what is behind that. */
export function ControlDetails({ detail }: { readonly detail: ControlDetail }) {
  const { control, checks, passes, sources, gaps, findings } = detail;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={3} size="h1">
          {control.title}
        </Title>
        <Group gap="md">
          <StatusBadge status={control.state} />
          <Text size="sm">
            {control.standard ? 'Specification' : 'Standard'},{' '}
            {control.requirement === 'required' ? 'required' : 'addressable'}
          </Text>
        </Group>
        <Text>{control.summary}</Text>
      </Stack>
      <Part title="Why this status">
        <ul className={classes.list}>
          {control.reasons.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Part>
      <Attestations detail={detail} />
      <ControlNotes detail={detail} />
      {passes.length > 0 && (
        <Part title="Passes of checks that can show this">
          <ControlPasses passes={passes} />
        </Part>
      )}
      {findings.length > 0 && (
        <Part title="Findings">
          <ControlFindings findings={findings} />
        </Part>
      )}
      {gaps.length > 0 && (
        <Part title="Not assessed">
          <ControlGaps gaps={gaps} />
        </Part>
      )}
      {sources.length > 0 && (
        <Part title="Sources">
          <ControlSources sources={sources} />
        </Part>
      )}
      <Part title="Mapped checks">
        {checks.length > 0 ? (
          <ControlChecks checks={checks} />
        ) : (
          <Text c="dimmed">
            No scan covers this. Attest what is in place and link the document that proves it.
          </Text>
        )}
      </Part>
    </Stack>
  );
}
