import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ControlDetail, ControlGap, ControlPass } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { AttestationSection } from './attestation-section.tsx';
import { ControlChecks } from './control-checks.tsx';
import { ControlFindings } from './control-findings.tsx';
import { ControlSources } from './control-sources.tsx';
import classes from './controls.module.css';
import { NoteSection } from './note-section.tsx';

/** What a control requires, its status, and what that is based on. */
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
      <DrawerSection title="Why this status">
        <ul className={classes.list}>
          {control.reasons.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </DrawerSection>
      <AttestationSection detail={detail} />
      <NoteSection detail={detail} />
      {passes.length > 0 && (
        <DrawerSection title="Checks that support this control">
          <SupportingChecks passes={passes} />
        </DrawerSection>
      )}
      {findings.length > 0 && (
        <DrawerSection title="Findings">
          <ControlFindings findings={findings} />
        </DrawerSection>
      )}
      {gaps.length > 0 && (
        <DrawerSection title="Not assessed">
          <NotAssessedChecks gaps={gaps} />
        </DrawerSection>
      )}
      {sources.length > 0 && (
        <DrawerSection title="Sources">
          <ControlSources sources={sources} />
        </DrawerSection>
      )}
      <DrawerSection title="Mapped checks">
        {checks.length > 0 ? (
          <ControlChecks checks={checks} />
        ) : (
          <Text c="dimmed">
            No check covers this control. Attest what is in place and link a document as evidence.
          </Text>
        )}
      </DrawerSection>
    </Stack>
  );
}

/** Checks that could not be assessed, by source, with the reason. */
function NotAssessedChecks({ gaps }: { readonly gaps: readonly ControlGap[] }) {
  return (
    <ul className={classes.rows}>
      {gaps.map(gap => (
        <CheckOfSource key={`${gap.check} ${gap.source_id}`} {...gap} relation="on">
          <Dimmed>{gap.reason}</Dimmed>
        </CheckOfSource>
      ))}
    </ul>
  );
}

/** Passed checks that show the safeguard working, by source. */
function SupportingChecks({ passes }: { readonly passes: readonly ControlPass[] }) {
  return (
    <ul className={classes.rows}>
      {passes.map(pass => (
        <CheckOfSource key={`${pass.check} ${pass.source_id}`} {...pass} relation="not detected on">
          <Dimmed size="xs">
            <code>{pass.check}</code> passed <RelativeTime at={pass.passed_at} />
            {pass.probe && ` (probe ${pass.probe})`}
          </Dimmed>
        </CheckOfSource>
      ))}
    </ul>
  );
}

interface CheckOfSourceProps extends Pick<ControlGap, 'title' | 'source_id' | 'source_name'> {
  readonly relation: string;
  readonly children: ReactNode;
}

function CheckOfSource({ title, relation, source_id, source_name, children }: CheckOfSourceProps) {
  const to = useOrganizationPaths();
  return (
    <li>
      <Text size="sm">
        “{title}” {relation}{' '}
        <TextLink to={to.object('sources', source_id)} underline="always">
          {source_name}
        </TextLink>
      </Text>
      {children}
    </li>
  );
}
