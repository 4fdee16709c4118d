import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { CodeText } from '../../components/code-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { FindingActions } from './finding-actions.tsx';
import { FindingHistory } from './finding-history.tsx';
import classes from './findings.module.css';
import { FixSteps } from './fix-steps.tsx';

/** What is wrong, where, why it matters, and what to do. */
export function FindingDetails({ finding }: { readonly finding: FindingDetail }) {
  const to = useOrganizationPaths();
  const { check, source, system } = finding;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={3} size="h1">
          {finding.title}
        </Title>
        <Group gap="md">
          <SeverityBadge severity={finding.severity} />
          <StatusBadge
            status={finding.status}
            {...(finding.reopened && finding.status === 'open' ? { label: 'Open again' } : {})}
          />
          {finding.accepted_until && (
            <Text size="sm">
              until <RelativeTime at={finding.accepted_until} />
            </Text>
          )}
        </Group>
      </Stack>
      <FindingActions finding={finding} />
      <Part title="What was seen">
        <blockquote className={classes.seen}>{finding.seen}</blockquote>
        <Facts>
          <dt>Where</dt>
          <dd>
            <Text span ff="monospace" size="sm">
              {finding.locator}
            </Text>
          </dd>
          {finding.subject !== null && (
            <>
              <dt>Last seen on</dt>
              <dd>
                <Text span ff="monospace" size="sm">
                  {finding.subject}
                </Text>{' '}
                {source.kind === 'website' ? '(page)' : '(database)'}
              </dd>
            </>
          )}
          <dt>Source</dt>
          <dd>
            <Anchor component={Link} underline="always" to={to.object('sources', source.id)} size="sm">
              {source.name}
            </Anchor>{' '}
            ({source.host})
          </dd>
          <dt>System</dt>
          <dd>{system.name}</dd>
          <dt>Check</dt>
          <dd>
            <Text span ff="monospace" size="sm">
              {finding.category}
            </Text>
          </dd>
          <dt>First seen</dt>
          <dd>
            <RelativeTime at={finding.created_at} />
          </dd>
          <dt>Last seen</dt>
          <dd>
            <RelativeTime at={finding.last_seen_at} />
          </dd>
        </Facts>
        {finding.assessment?.outcome === 'not_assessed' && (
          <Text size="sm">
            The last look, <RelativeTime at={finding.assessment.looked_at} />, could not tell whether it is
            still there: {finding.assessment.reason}
          </Text>
        )}
      </Part>
      {check && (
        <Part title="Why it matters">
          <CodeText>{check.why}</CodeText>
        </Part>
      )}
      <Part title="How to fix it">
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
      </Part>
      {check && check.safeguards.length > 0 && (
        <Part title="Affected HIPAA safeguards">
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
        </Part>
      )}
      <Part title="History">
        <FindingHistory finding={finding} />
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={4}>{title}</Title>
      {children}
    </Stack>
  );
}
