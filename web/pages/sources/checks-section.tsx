import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';

type Assessment = SourceDetail['assessments'][number];

const outcomes = {
  observed: { label: 'Found something', status: 'open' },
  not_assessed: { label: 'Could not look', status: 'not_assessed' },
  passed: { label: 'Passed', status: 'pass' },
  not_applicable: { label: 'Does not apply', status: 'skipped' },
} as const;
type Outcome = keyof typeof outcomes;

const columns: readonly Column<Assessment>[] = [
  {
    key: 'check',
    header: 'Check',
    render: ({ title, check }) => (
      <Stack gap={0} component="span">
        <span>{title ?? check}</span>
        <Text span size="xs" c="dimmed" fw={400}>
          {check}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'outcome',
    header: 'Outcome',
    render: ({ outcome, reason }) => (
      <Stack gap={0}>
        <StatusBadge status={outcomes[outcome].status} label={outcomes[outcome].label} />
        {reason && (
          <Text size="xs" c="dimmed" maw="44ch">
            {reason}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: 'at', header: 'Looked', render: ({ looked_at }) => <RelativeTime at={looked_at} /> },
];

/** What became of every check when the source was last looked at. */
export function ChecksSection({ assessments }: { readonly assessments: readonly Assessment[] }) {
  const [chosen, setChosen] = useState<Outcome[]>(['observed', 'not_assessed']);
  const count = (outcome: Outcome) => assessments.filter(each => each.outcome === outcome).length;
  const shown = assessments.filter(({ outcome }) => chosen.length === 0 || chosen.includes(outcome));
  return (
    <Section title="Checks" description="What became of each when the source was last looked at.">
      <Stack gap="sm">
        <ToggleGroup
          label="Outcome"
          options={(Object.keys(outcomes) as Outcome[]).map(value => ({
            value,
            label: outcomes[value].label,
            count: count(value),
          }))}
          chosen={chosen}
          onChange={setChosen}
        />
        {shown.length > 0 ? (
          <DataTable caption="Checks" columns={columns} rows={shown} rowKey={({ check }) => check} />
        ) : (
          <Text size="sm" c="dimmed">
            No check ended so.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
