import type { ProbeDetail } from '../../../src/contract/dashboard/probes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import { TwoLines } from '../../components/two-lines.tsx';
import { intervalText } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { kindLabels } from '../sources/source-labels.ts';
import { NextTry } from './next-try.tsx';
import { probeState } from './probe-state.ts';

type Report = ProbeDetail['reports'][number];

const columnsOf = (probe: ReturnType<typeof probeState>): readonly Column<Report>[] => [
  {
    header: 'Source',
    render: ({ source }) => (
      <TwoLines title={source.name} detail={`${kindLabels[source.kind]}, ${source.host}`} />
    ),
  },
  {
    header: 'Status',
    render: ({ state, error, ...report }) => (
      <div>
        <StatusBadge status={probe === 'reporting' ? state : probe} />
        {error && (
          <Dimmed size="xs" maw="44ch">
            {error} {probe === 'reporting' && <NextTry {...report} />}
          </Dimmed>
        )}
      </div>
    ),
  },
  {
    header: 'Open findings',
    render: ({ open }) => (
      <SeverityCounts
        open={open ?? { critical: 0, high: 0, medium: 0, low: 0, info: 0 }}
        scanned={open !== null}
      />
    ),
  },
  {
    header: 'Assessed',
    render: ({ state, checked_at }) => {
      if (!checked_at) return 'Not yet';
      const time = <RelativeTime at={checked_at} />;
      return state === 'failing' ? <>Last attempt {time}</> : time;
    },
  },
  { header: 'Schedule', wideOnly: true, render: ({ every_seconds }) => intervalText(every_seconds) },
];

/** The newest report on each target. */
export function ReportsSection({ probe }: { readonly probe: ProbeDetail }) {
  const { reports } = probe;
  const to = useOrganizationPaths();
  return (
    <Section
      title="Targets"
      description="Failing targets first. A source is listed with the probe that reported on it last."
    >
      {reports.length > 0 ? (
        <DataTable
          caption="Targets"
          columns={columnsOf(probeState(probe))}
          rows={reports}
          rowKey={({ source }) => source.id}
          href={({ source }) => to.object('sources', source.id)}
        />
      ) : (
        <Dimmed>
          No targets. If another probe has reported on the same sources since, they are listed there.
          Otherwise, they appear with the next report: each target in the configuration of the probe must name
          a source in probe mode of this system.
        </Dimmed>
      )}
    </Section>
  );
}
