import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import { IconKeyboard, IconListSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ExportFormat } from '../../../src/contract/dashboard/findings.ts';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { useExportUrl, useFindingCounts, useFindings } from '../../api/findings.ts';
import { useOverview } from '../../api/overview.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExportMenu } from '../../components/export-menu.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { BulkBar } from './bulk-bar.tsx';
import { chosenStatuses, filterNames, filtersOf, listOf } from './filters.ts';
import { FindingDrawer } from './finding-drawer.tsx';
import { FindingFilterBar } from './finding-filters.tsx';
import { FindingsTable } from './findings-table.tsx';
import { ShortcutsDialog, useShortcuts } from './shortcuts.tsx';
import { ViewsMenu } from './views-menu.tsx';

const formats: readonly [format: ExportFormat, label: string][] = [
  ['csv', 'CSV, for spreadsheets'],
  ['json', 'JSON'],
  ['sarif', 'SARIF 2.1.0, for code scanning'],
  ['ocsf', 'OCSF, for a SIEM'],
];

const inAddress = [...filterNames, 'finding'] as const;
const none: ReadonlySet<string> = new Set();

export default function FindingsPage() {
  const { canOperate } = useOrganization();
  const { values: all, set } = useUrlFilters(inAddress);
  const { finding: openId, ...values } = all;
  const filters = filtersOf(values, chosenStatuses(values));
  const findings = useFindings(listOf(values));
  const counts = useFindingCounts(filters);
  const exportUrl = useExportUrl(filters);
  const rows = findings.data?.pages.flatMap(page => page.findings) ?? [];
  const [activeId, setActiveId] = useState<string>();
  const [selected, setSelected] = useState(none);
  const [help, setHelp] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const open = (id: string | null) => {
    if (id) setActiveId(id);
    set({ finding: id });
  };
  const narrow = (changes: Parameters<typeof set>[0]) => {
    setSelected(none);
    set(changes);
  };
  const toggle = (id: string) =>
    setSelected(before => new Set([...before].filter(each => each !== id).concat(before.has(id) ? [] : id)));
  const move = (by: 1 | -1) => {
    const at = rows.findIndex(({ id }) => id === activeId);
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (!next) return;
    setActiveId(next.id);
    document.querySelector(`[data-row="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
    if (openId) set({ finding: next.id });
    if (at + by >= rows.length - 5 && findings.hasNextPage && !findings.isFetching) {
      void findings.fetchNextPage();
    }
  };
  useShortcuts({
    move,
    open: () => activeId && open(activeId),
    select: () => canOperate && activeId && toggle(activeId),
    search: () => search.current?.focus(),
    help: () => setHelp(true),
  });
  const selectedIds = rows.filter(({ id }) => selected.has(id)).map(({ id }) => id);
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
            <Tooltip label="Keyboard shortcuts (?)">
              <ActionIcon
                variant="subtle"
                size="lg"
                aria-label="Keyboard shortcuts"
                visibleFrom="sm"
                onClick={() => setHelp(true)}
              >
                <IconKeyboard size={20} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <ViewsMenu
              filters={listOf(values)}
              onOpen={({ status, ...view }) =>
                narrow({
                  ...Object.fromEntries(filterNames.map(name => [name, null])),
                  ...view,
                  status: status === 'open' ? null : (status ?? 'any'),
                })
              }
            />
            <ExportMenu files={formats.map(([format, label]) => [label, exportUrl(format)])} />
          </>
        }
      />
      <FindingFilterBar
        values={values}
        set={narrow}
        clear={() => narrow(Object.fromEntries(filterNames.map(name => [name, null])))}
        active={Object.keys(values).length > 0}
        counts={counts.data}
        sourceName={rows[0]?.source.name}
        searchRef={search}
      />
      <Loaded query={findings} skeleton={<TableSkeleton rows={12} />}>
        {() =>
          rows.length > 0 ? (
            <FindingsTable
              findings={rows}
              activeId={activeId}
              onOpen={({ id }) => open(id)}
              selection={canOperate ? { keys: selected, onChange: setSelected } : undefined}
            />
          ) : (
            <Nothing filtered={Object.keys(values).length > 0} />
          )
        }
      </Loaded>
      <LoadMore query={findings} />
      {canOperate && <BulkBar ids={selectedIds} onClear={() => setSelected(none)} />}
      <FindingDrawer findingId={openId} onClose={() => open(null)} />
      <ShortcutsDialog opened={help} onClose={() => setHelp(false)} />
    </>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const to = useOrganizationPaths();
  const overview = useOverview();
  if (filtered) {
    return <EmptyState title="No findings match these filters">Remove a filter to see more.</EmptyState>;
  }
  return (
    <EmptyState
      icon={IconListSearch}
      title={overview.data?.score == null ? 'Not scanned' : 'No open findings'}
      action={
        <Button component={Link} to={to.section('sources')} variant="default">
          Go to sources
        </Button>
      }
    >
      {whatIsScanned(overview.data)}
    </EmptyState>
  );
}

/** No findings mean something only for what was scanned. */
function whatIsScanned(overview: Overview | undefined): string {
  if (!overview) return 'Scan results appear here, most severe first.';
  const { score, sources, not_scanned } = overview;
  if (score === null) return 'No source has been scanned. Scan results appear here, most severe first.';
  if (not_scanned === 0) return 'Every source has been scanned.';
  return `${not_scanned.toLocaleString()} of ${sources.toLocaleString()} sources have never been scanned.`;
}
