import { Checkbox, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { FindingFilters } from '../../../src/contract/dashboard/finding-filters.ts';
import type { FindingGroup } from '../../../src/contract/dashboard/finding-groups.ts';
import type { FindingRow } from '../../../src/contract/dashboard/findings.ts';
import { useFindingGroups, useFindingIds } from '../../api/finding-work.ts';
import { useFindings } from '../../api/findings.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { notify } from '../../components/notify.ts';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import type { Selection } from '../../components/table-column.ts';
import { counted } from '../../formats/numbers.ts';
import { FindingsTable } from './findings-table.tsx';
import classes from './work.module.css';

type Grouping = 'check' | 'system';

interface Props {
  readonly filters: FindingFilters;
  readonly by: Grouping;
  readonly activeId: string | undefined;
  readonly onOpen: (finding: FindingRow) => void;
  /** Undefined for members, who can't change findings. */
  readonly selection: Selection | undefined;
  /** Shown if no finding matches. */
  readonly empty: React.ReactNode;
}

/** The filtered findings by check or system. Each group opens to its findings. */
export function FindingGroups({ filters, by, empty, ...rest }: Props) {
  const groups = useFindingGroups(filters, by);
  return (
    <Loaded query={groups} skeleton={<TableSkeleton rows={8} />}>
      {data =>
        data.groups.length === 0 ? (
          empty
        ) : (
          <>
            <ul className={classes.groups} aria-label={by === 'check' ? 'Checks' : 'Systems'}>
              {data.groups.map(group => (
                <Group key={group.key} group={group} by={by} filters={filters} {...rest} />
              ))}
            </ul>
            {data.has_more && (
              <Dimmed mt="xs">
                Only the first {data.groups.length.toLocaleString()} are listed. Add a filter to see others.
              </Dimmed>
            )}
          </>
        )
      }
    </Loaded>
  );
}

interface GroupProps extends Omit<Props, 'empty'> {
  readonly group: FindingGroup;
}

function Group({ group, by, filters, selection, ...rest }: GroupProps) {
  const contentId = useId();
  const [opened, setOpened] = useState(false);
  const within: FindingFilters = {
    ...filters,
    ...(by === 'check' ? { category: group.key } : { system_id: group.key }),
  };
  return (
    <li>
      <div className={classes.group}>
        {selection ? <SelectGroup group={group} filters={within} selection={selection} /> : <span />}
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={opened}
          aria-controls={contentId}
          onClick={() => setOpened(!opened)}
        >
          <IconChevronRight size={16} aria-hidden />
          <span className={classes.name}>
            {group.title}
            {by === 'check' && (
              <Text span display="block" size="xs" c="dimmed" ff="monospace" fw={400}>
                {group.key}
              </Text>
            )}
          </span>
        </button>
        <SeverityBadge severity={group.severity} />
        <div className={classes.numbers}>
          <span className="tabular">{counted(group.findings, 'finding')}</span>
          <span className="tabular">
            {by === 'check' ? counted(group.systems, 'system') : counted(group.checks, 'check')}
          </span>
          <span className={group.overdue > 0 ? classes.overdue : classes.none}>
            {group.overdue > 0 ? `${group.overdue.toLocaleString()} overdue` : 'None overdue'}
          </span>
        </div>
      </div>
      <div id={contentId} className={classes.inside} hidden={!opened}>
        {opened && <GroupFindings filters={within} name={group.title} selection={selection} {...rest} />}
      </div>
    </li>
  );
}

interface SelectProps {
  readonly group: FindingGroup;
  readonly filters: FindingFilters;
  readonly selection: Selection;
}

/** Selects all findings of a group, also those that are not loaded. */
function SelectGroup({ group, filters, selection: { keys, onChange } }: SelectProps) {
  const load = useFindingIds();
  const [ids, setIds] = useState<readonly string[]>([]);
  // Of the mutation, React would learn after it has reset the checkbox.
  const [loading, setLoading] = useState(false);
  const isSelected = ids.length > 0 && ids.every(id => keys.has(id));
  const select = () => {
    setLoading(true);
    load.mutate(filters, {
      onSuccess: found => {
        setIds(found.ids);
        onChange(new Set([...keys, ...found.ids]));
        if (found.has_more) notify(`Selected the first ${found.ids.length} findings`);
      },
      onError: ({ message }) => notify(message),
      onSettled: () => setLoading(false),
    });
  };
  return (
    <Checkbox
      size="xs"
      aria-label={`Select all findings: ${group.title}`}
      checked={isSelected || loading}
      onChange={() =>
        isSelected ? onChange(new Set([...keys].filter(key => !ids.includes(key)))) : select()
      }
    />
  );
}

interface FindingsProps extends Pick<Props, 'filters' | 'activeId' | 'onOpen' | 'selection'> {
  readonly name: string;
}

function GroupFindings({ filters, name, ...rest }: FindingsProps) {
  const findings = useFindings(filters);
  const rows = findings.data?.pages.flatMap(page => page.findings) ?? [];
  return (
    <Loaded query={findings} skeleton={<TableSkeleton rows={3} />}>
      {() => (
        <>
          <FindingsTable findings={rows} caption={`Findings: ${name}`} {...rest} />
          <LoadMore query={findings} />
        </>
      )}
    </Loaded>
  );
}
