import { Alert, Group, Stack, Text } from '@mantine/core';
import type { ScanDetail } from '../../../src/contract/dashboard/scans.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { duration } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { reporterText } from './reporter-text.ts';

/** Status, verdict and what they mean; the progress while the scan runs. */
export function ScanResult({ scan }: { readonly scan: ScanDetail }) {
  return (
    <Section title="Result">
      <Stack gap="sm">
        <Group gap="lg" aria-live="polite">
          <StatusBadge status={scan.status} />
          {scan.verdict && (
            <Group gap="xs">
              <Dimmed span>Verdict</Dimmed>
              <StatusBadge status={scan.verdict} />
            </Group>
          )}
          <Dimmed>
            {scan.reporter ? `Reported ${reporterText(scan.reporter)}` : 'Requested'}{' '}
            <RelativeTime at={scan.created_at} />
            {scan.finished_at ? `, took ${duration(scan)}` : ''}
          </Dimmed>
        </Group>
        {scan.finished_at ? (
          <Text>
            {scan.meaning} <FindingsLink scan={scan} />
          </Text>
        ) : (
          <ScanProgress scan={scan} />
        )}
        {scan.finished_at && scan.runs_planned === 0 && (
          <Alert color="yellow" variant="light" title="Nothing to scan">
            No source of this target was authorized when the scan started. Authorize scans on the page of a
            source, then run a new scan.
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

function FindingsLink({ scan: { finding_id, target } }: { readonly scan: ScanDetail }) {
  const to = useOrganizationPaths();
  if (finding_id) {
    return (
      <TextLink
        to={to.section('findings', { status: 'any', finding: finding_id })}
        size="md"
        underline="always"
      >
        View finding
      </TextLink>
    );
  }
  const filter = target.kind === 'source' ? { source_id: target.id } : { system_id: target.id };
  return (
    <TextLink to={to.section('findings', filter)} size="md" underline="always">
      View open findings
    </TextLink>
  );
}
