import { Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { FindingRow } from '../../../src/contract/dashboard/findings.ts';
import { readablePlace } from '../../../src/contract/readable-place.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import type { Column, Selection, Sorting } from '../../components/table-column.ts';
import { useIsPhone } from '../../components/use-is-phone.ts';
import { DueDate } from './due-date.tsx';
import { FindingStatus } from './finding-status.tsx';
import classes from './findings.module.css';
import work from './work.module.css';

interface FindingColumn extends Column<FindingRow> {
  /** Windows that are narrower, but not those of phones, leave it out. */
  readonly from?: 'laptop' | 'desktop' | 'wide';
}

const columns: readonly FindingColumn[] = [
  {
    header: 'Finding',
    render: ({ title, category, locator }) => {
      const place = readablePlace(category, locator);
      return (
        <Stack gap={0} component="span">
          <span>{title}</span>
          <Text c="dimmed" span size="xs" fw={400} className={classes.location ?? ''} title={place}>
            {place}
          </Text>
        </Stack>
      );
    },
  },
  {
    header: 'Severity',
    width: 100,
    order: { name: 'worst', direction: 'descending' },
    render: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  { header: 'Status', width: 130, render: finding => <FindingStatus finding={finding} /> },
  {
    header: 'Owner',
    width: 120,
    render: ({ owner }) => (
      <span className={owner ? work.owner : work.none} title={owner?.name}>
        {owner?.name ?? 'No owner'}
      </span>
    ),
  },
  {
    header: 'Due',
    width: 140,
    order: { name: 'due', direction: 'ascending' },
    render: finding => <DueDate finding={finding} />,
  },
  {
    header: 'Source',
    width: 150,
    from: 'laptop',
    render: ({ source, system }) => (
      <div className={classes.source}>
        {source.name}
        <Dimmed span size="xs">
          {system.name}
        </Dimmed>
      </div>
    ),
  },
  {
    header: 'First seen',
    width: 110,
    wideOnly: true,
    from: 'wide',
    order: { name: 'newest', direction: 'descending' },
    render: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    header: 'Last seen',
    width: 110,
    from: 'desktop',
    order: { name: 'last_seen', direction: 'descending' },
    render: ({ last_seen_at }) => <RelativeTime at={last_seen_at} />,
  },
];

interface Props {
  readonly findings: readonly FindingRow[];
  readonly activeId: string | undefined;
  readonly onOpen: (finding: FindingRow) => void;
  /** Undefined for members, who can't triage. */
  readonly selection: Selection | undefined;
  readonly sorting?: Sorting;
  readonly caption?: string;
}

export function FindingsTable({
  findings,
  activeId,
  onOpen,
  selection,
  sorting,
  caption = 'Findings',
}: Props) {
  const isPhone = useIsPhone();
  const fits = {
    laptop: useIsWider('62em'),
    desktop: useIsWider('75em'),
    wide: useIsWider('87.5em'),
  };
  return (
    <DataTable
      caption={caption}
      columns={columns.filter(({ from }) => isPhone || !from || fits[from])}
      minWidth="44rem"
      rows={findings}
      rowKey={finding => finding.id}
      onOpen={onOpen}
      activeKey={activeId}
      selection={selection}
      sorting={sorting}
    />
  );
}

const useIsWider = (width: string) =>
  useMediaQuery(`(min-width: ${width})`, true, { getInitialValueInEffect: false });
