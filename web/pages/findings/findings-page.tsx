import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { findingsAtOnce } from '../../../src/contract/dashboard/finding-limits.ts';
import type { ExportFormat, FindingCounts } from '../../../src/contract/dashboard/findings.ts';
import { useAssign, useFindingIds } from '../../api/finding-work.ts';
import { useExportUrl, useFinding, useFindingCounts, useFindings } from '../../api/findings.ts';
import { useOrganization, useSession } from '../../api/session.ts';
import { ExportMenu } from '../../components/export-menu.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { CardSkeleton, Loaded, TableSkeleton } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { cleared } from '../../components/url-filters.ts';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { counted } from '../../formats/numbers.ts';
import { DetailDrawer } from '../../later/detail-drawer.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { BulkBar } from './bulk-bar.tsx';
import {
  changesOfView,
  type FilterChanges,
  filterNames,
  filtersOf,
  leadsWithChecks,
  listQueryOf,
} from './filters.ts';
import { FindingDetails } from './finding-details.tsx';
import { FindingFilterBar } from './finding-filters.tsx';
import { FindingGroups } from './finding-groups.tsx';
import { FindingsTable } from './findings-table.tsx';
import { FixFirst } from './fix-first.tsx';
import { NoFindings } from './no-findings.tsx';
import { useShortcuts } from './shortcuts.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { useListNavigation } from './use-list-navigation.ts';
import { ViewsMenu } from './views-menu.tsx';

const formats: readonly [format: ExportFormat, label: string][] = [
  ['csv', 'CSV (spreadsheets)'],
  ['json', 'JSON'],
  ['sarif', 'SARIF 2.1.0 (code scanning)'],
  ['ocsf', 'OCSF (SIEM)'],
];

const inUrl = [...filterNames, 'finding', 'view'] as const;

const groupings = [
  { value: 'list', label: 'List' },
  { value: 'check', label: 'By check' },
  { value: 'system', label: 'By system' },
] as const;

/** Whether the findings need a summary: they are more than are in view, of several checks. */
const isLong = ({ total, fix_first }: FindingCounts) => total > 10 && fix_first.length > 1;

const none: ReadonlySet<string> = new Set();

export default function FindingsPage() {
  const { canOperate } = useOrganization();
  const { person } = useSession();
  const to = useOrganizationPaths();
  const { values: all, set } = useUrlFilters(inUrl);
  const { finding: openId, view = 'list', ...values } = all;
  const grouping = view === 'check' || view === 'system' ? view : undefined;
  const filters = filtersOf(values);
  const findings = useFindings(listQueryOf(values));
  const counts = useFindingCounts(filters);
  const exportUrl = useExportUrl(filters);
  const rows = findings.data?.pages.flatMap(page => page.findings) ?? [];
  const [selected, setSelected] = useState(none);
  const [help, setHelp] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const onOpen = (id: string | null) => set({ finding: id });
  const { activeId, open, move } = useListNavigation({ rows, openId, onOpen, query: findings });
  const filter = (changes: FilterChanges) => {
    setSelected(none);
    set(changes);
  };
  const toggle = (id: string) =>
    setSelected(before => new Set([...before].filter(each => each !== id).concat(before.has(id) ? [] : id)));
  const assign = useAssign();
  /** The selected findings, or the active one. */
  const assignToMe = () => {
    const ids = selected.size > 0 ? [...selected] : activeId ? [activeId] : [];
    if (!person || ids.length === 0 || ids.length > findingsAtOnce) return;
    assign.mutate(
      { ids, owner_id: person.id },
      {
        onSuccess: () => notify(`${counted(ids.length, 'finding')} assigned to you`),
        onError: ({ message }) => notify(message),
      },
    );
  };
  useShortcuts({
    move,
    open: () => activeId && open(activeId),
    select: () => canOperate && activeId && toggle(activeId),
    assign: () => canOperate && assignToMe(),
    search: () => search.current?.focus(),
    help: () => setHelp(true),
  });
  const isFiltered = Object.keys(values).length > 0;
  const empty = isFiltered ? <NoMatches what="findings" /> : <NoFindings />;
  const selection = canOperate ? { keys: selected, onChange: setSelected } : undefined;
  const matching = useFindingIds();
  const total = counts.data?.total ?? 0;
  return (
    <>
      <PageHeader
        title="Findings"
        aside={
          <Text c="dimmed" className="tabular" role="status" miw="4ch">
            {counts.data ? counts.data.total.toLocaleString() : ''}
          </Text>
        }
        actions={
          <>
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label="Keyboard shortcuts"
              title="Keyboard shortcuts (?)"
              visibleFrom="sm"
              onClick={() => setHelp(true)}
            >
              <IconKeyboard size={20} aria-hidden />
            </ActionIcon>
            <ViewsMenu filters={listQueryOf(values)} onOpen={view => filter(changesOfView(view))} />
            <ExportMenu files={formats.map(([format, label]) => [label, exportUrl(format)])} />
          </>
        }
      />
      <FindingFilterBar
        values={values}
        set={filter}
        clear={() => filter(cleared(filterNames))}
        active={isFiltered}
        counts={counts.data}
        sourceName={rows[0]?.source.name}
        searchRef={search}
      />
      {!grouping && counts.data && isLong(counts.data) && leadsWithChecks(values) && (
        <Box mb="md">
          <FixFirst
            checks={counts.data.fix_first}
            href={category => to.section('findings', { ...values, category })}
          />
        </Box>
      )}
      <Group mb="xs">
        <ToggleGroup
          label="View"
          chosen={[grouping ?? 'list']}
          onChange={chosen =>
            set({ view: chosen.find(each => each !== (grouping ?? 'list') && each !== 'list') ?? null })
          }
          options={groupings}
        />
      </Group>
      {grouping ? (
        <FindingGroups
          filters={filters}
          by={grouping}
          activeId={openId}
          onOpen={({ id }) => open(id)}
          selection={selection}
          empty={empty}
        />
      ) : (
        <>
          <Loaded query={findings} skeleton={<TableSkeleton rows={12} />}>
            {() =>
              rows.length === 0 ? (
                empty
              ) : (
                <FindingsTable
                  findings={rows}
                  activeId={activeId}
                  onOpen={({ id }) => open(id)}
                  selection={selection}
                  sorting={{
                    order: values.order ?? 'worst',
                    onChange: order => filter({ order: order === 'worst' ? null : order }),
                  }}
                />
              )
            }
          </Loaded>
          <LoadMore query={findings} />
        </>
      )}
      {canOperate && (
        <BulkBar
          ids={[...selected]}
          onClear={() => setSelected(none)}
          more={
            selected.size < Math.min(total, findingsAtOnce)
              ? {
                  count: total,
                  pending: matching.isPending,
                  select: () =>
                    matching.mutate(filters, { onSuccess: ({ ids }) => setSelected(new Set(ids)) }),
                }
              : undefined
          }
        />
      )}
      <FindingDrawer findingId={openId} onClose={() => open(null)} />
      <ShortcutsDialog opened={help} onClose={() => setHelp(false)} />
    </>
  );
}

interface FindingDrawerProps {
  readonly findingId: string | undefined;
  readonly onClose: () => void;
}

/** One finding, beside the list. */
function FindingDrawer({ findingId, onClose }: FindingDrawerProps) {
  return (
    <DetailDrawer opened={findingId !== undefined} onClose={onClose} title="Finding">
      {findingId && <Content key={findingId} findingId={findingId} />}
    </DetailDrawer>
  );
}

function Content({ findingId }: { readonly findingId: string }) {
  const finding = useFinding(findingId);
  return (
    <Loaded query={finding} skeleton={<CardSkeleton height={480} />}>
      {data => <FindingDetails finding={data} />}
    </Loaded>
  );
}
