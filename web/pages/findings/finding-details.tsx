import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { readablePlace } from '../../../src/contract/readable-place.ts';
import { CodeText } from '../../components/code-text.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { NewComment } from './comment-form.tsx';
import { FindingActions } from './finding-actions.tsx';
import { FindingHistory } from './finding-history.tsx';
import { FindingStatus } from './finding-status.tsx';
import { FindingWork } from './finding-work.tsx';
import classes from './findings.module.css';
import { FixSteps } from './fix-steps.tsx';

/** What is wrong, where, why it matters, and how to fix it. */
export function FindingDetails({ finding }: { readonly finding: FindingDetail }) {
  const { check, assessment } = finding;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={3} size="h1">
          {finding.title}
        </Title>
        <Group gap="md">
          <SeverityBadge severity={finding.severity} />
          <FindingStatus finding={finding} />
          {finding.accepted_until && (
            <Text size="sm">
              until <RelativeTime at={finding.accepted_until} />
            </Text>
          )}
        </Group>
      </Stack>
      <FindingActions finding={finding} />
      <FindingWork finding={finding} />
      <DrawerSection title="Details">
        <blockquote className={classes.observation}>{finding.seen}</blockquote>
        <FindingFacts finding={finding} />
        {assessment?.outcome === 'not_assessed' && (
          <Text size="sm">
            Not assessed by the last scan, <RelativeTime at={assessment.looked_at} />: {assessment.reason}
          </Text>
        )}
      </DrawerSection>
      {check && (
        <DrawerSection title="Why it matters">
          <CodeText>{check.why}</CodeText>
        </DrawerSection>
      )}
      <DrawerSection title="How to fix it">
        <FixSteps remediation={check?.remediation ?? { advice: finding.remediation, steps: [] }} />
        {check && check.references.length > 0 && (
          <ul className={classes.plain}>
            {check.references.map(reference => (
              <li key={reference}>
                <Anchor href={reference} rel="noreferrer" size="sm">
                  {reference}
                </Anchor>
              </li>
            ))}
          </ul>
        )}
      </DrawerSection>
      {check && check.safeguards.length > 0 && (
        <DrawerSection title="Affected HIPAA safeguards">
          <ul className={classes.plain}>
            {check.safeguards.map(({ citation, title, reason }) => (
              <li key={citation}>
                <Text span fw={500}>
                  {citation}
                </Text>{' '}
                {title}. {reason}
              </li>
            ))}
          </ul>
        </DrawerSection>
      )}
      <DrawerSection title="Comments and history">
        <NewComment findingId={finding.id} />
        <FindingHistory finding={finding} />
      </DrawerSection>
    </Stack>
  );
}

/** Where a finding is, which check reported it, and when. */
function FindingFacts({ finding }: { readonly finding: FindingDetail }) {
  const to = useOrganizationPaths();
  const { source, system, subject } = finding;
  return (
    <Facts>
      <Fact name="Location">
        <Mono>{readablePlace(finding.category, finding.locator)}</Mono>
      </Fact>
      {subject !== null && (
        <Fact name={source.kind === 'website' ? 'Last seen on page' : 'Last seen in database'}>
          <Mono>{subject}</Mono>
        </Fact>
      )}
      <Fact name="Source">
        <TextLink to={to.object('sources', source.id)} underline="always">
          {source.name}
        </TextLink>{' '}
        ({source.host})
      </Fact>
      <Fact name="System">{system.name}</Fact>
      <Fact name="Check">
        <Mono>{finding.category}</Mono>
      </Fact>
      <Fact name="First seen">
        <RelativeTime at={finding.created_at} />
      </Fact>
      <Fact name="Last seen">
        <RelativeTime at={finding.last_seen_at} />
      </Fact>
    </Facts>
  );
}
