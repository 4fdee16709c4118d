import { Group, Stack, Text } from '@mantine/core';
import type { ScanChange, ScanChanges, ScanDetail } from '../../../src/contract/dashboard/scans.ts';
import { readablePlace } from '../../../src/contract/readable-place.ts';
import { useScanChanges } from '../../api/scans.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { RowList, RowText } from '../../components/row-list.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** What a scan found, resolved and could not assess. */
export function ScanChangesSection({ scan }: { readonly scan: ScanDetail }) {
  const changes = useScanChanges(scan.id, scan.finished_at === null);
  return (
    <Loaded query={changes} skeleton={<CardSkeleton height={180} />}>
      {found => (
        <>
          <Findings scan={scan} changes={found} />
          <NotAssessed changes={found} />
        </>
      )}
    </Loaded>
  );
}

interface FindingsProps {
  readonly scan: ScanDetail;
  readonly changes: ScanChanges;
}

function Findings({ scan, changes }: FindingsProps) {
  const { opened, reopened, resolved, still_open } = changes;
  const nothing = opened.total + reopened.total + resolved.total === 0;
  return (
    <Section title="Findings">
      <Stack gap="md">
        <Group gap="lg">
          <Count count={opened.total} label="new" />
          <Count count={reopened.total} label="reopened" />
          <Count count={resolved.total} label="resolved" />
          {still_open !== null && <Count count={still_open} label="still detected" />}
        </Group>
        {nothing && (
          <Dimmed>
            {scan.finished_at === null
              ? 'Findings appear here as soon as a source is assessed.'
              : 'This scan opened and resolved no findings.'}
          </Dimmed>
        )}
        <Changed title="New" change={opened} />
        <Changed title="Reopened" change={reopened} />
        <Changed title="Resolved" change={resolved} />
      </Stack>
    </Section>
  );
}

function Count({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <Text>
      <Text span fw={600} size="lg">
        {count.toLocaleString()}
      </Text>{' '}
      {label}
    </Text>
  );
}

function Changed({ title, change }: { readonly title: string; readonly change: ScanChange }) {
  const to = useOrganizationPaths();
  if (change.total === 0) return null;
  const left = change.total - change.findings.length;
  return (
    <div>
      <Text component="h3" fw={600}>
        {title}
      </Text>
      <RowList label={title}>
        {change.findings.map(({ id, severity, title: name, category, locator, source }) => (
          <li key={id}>
            <SeverityBadge severity={severity} />
            <RowText>
              <TextLink to={to.section('findings', { status: 'any', finding: id })}>{name}</TextLink>
              <Dimmed size="xs">
                {readablePlace(category, locator)} ({source.name})
              </Dimmed>
            </RowText>
          </li>
        ))}
      </RowList>
      {left > 0 && <Dimmed size="sm">{left.toLocaleString()} more</Dimmed>}
    </div>
  );
}

/** Checks that could not be decided, with the reason of each. */
function NotAssessed({ changes: { not_assessed, is_latest } }: { readonly changes: ScanChanges }) {
  const to = useOrganizationPaths();
  if (not_assessed.total === 0) return null;
  const left = not_assessed.total - not_assessed.checks.length;
  return (
    <Section
      title="Not assessed"
      description={
        is_latest
          ? 'Checks that could not be decided. They neither passed nor resolved a finding.'
          : 'Checks that could not be decided and were not assessed by a later scan.'
      }
    >
      <RowList label="Not assessed">
        {not_assessed.checks.map(({ check, title, reason, source }) => (
          <li key={`${source.id} ${check}`}>
            <RowText>
              <Text size="sm">{title ?? check}</Text>
              <Dimmed size="xs">
                <TextLink to={to.object('sources', source.id)} size="xs" underline="always">
                  {source.name}
                </TextLink>
                : {reason ?? 'no reason was given'}
              </Dimmed>
            </RowText>
          </li>
        ))}
      </RowList>
      {left > 0 && <Dimmed size="sm">{left.toLocaleString()} more</Dimmed>}
    </Section>
  );
}
