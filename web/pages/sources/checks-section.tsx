import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { TwoLines } from '../../components/two-lines.tsx';

type Assessment = SourceDetail['assessments'][number];

const outcomes = {
  observed: { label: 'Detected', status: 'open' },
  not_assessed: { label: 'Not assessed', status: 'not_assessed' },
  passed: { label: 'Passed', status: 'pass' },
  not_applicable: { label: 'Not applicable', status: 'skipped' },
} as const;
type Outcome = keyof typeof outcomes;

const columns: readonly Column<Assessment>[] = [
  { header: 'Check', render: ({ title, check }) => <TwoLines title={title ?? check} detail={check} /> },
  {
    header: 'Result',
    render: ({ outcome, reason }) => (
      <Stack gap={0}>
        <StatusBadge status={outcomes[outcome].status} label={outcomes[outcome].label} />
        {reason && (
          <Dimmed size="xs" maw="44ch">
            {reason}
          </Dimmed>
        )}
      </Stack>
    ),
  },
  { header: 'Scanned', render: ({ looked_at }) => <RelativeTime at={looked_at} /> },
];

/** The latest result of every check of the source. */
export function ChecksSection({ assessments }: { readonly assessments: readonly Assessment[] }) {
  const [chosen, setChosen] = useState<Outcome[]>(['observed', 'not_assessed']);
  const count = (outcome: Outcome) => assessments.filter(each => each.outcome === outcome).length;
  const shown = assessments.filter(({ outcome }) => chosen.length === 0 || chosen.includes(outcome));
  return (
    <Section title="Checks" description="The latest result of each check.">
      <Stack gap="sm">
        <ToggleGroup
          label="Result"
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
          <Dimmed>No checks with this result.</Dimmed>
        )}
      </Stack>
    </Section>
  );
}
