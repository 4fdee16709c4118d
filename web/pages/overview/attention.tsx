import { Text } from '@mantine/core';
import { outdatedAfterDays } from '../../../src/contract/dashboard/outdated.ts';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RowList, RowText } from '../../components/row-list.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { day } from '../../formats/dates.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { statusOf } from '../sources/source-labels.ts';

/** Sources that have never been scanned, and sources that need a next step. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const to = useOrganizationPaths();
  const { attention: sources, attention_total: total } = overview;
  if (total === 0) {
    return (
      <Dimmed>
        {overview.sources === 0
          ? 'No sources yet. Add a website or database to start scanning.'
          : 'No source needs action. The page of each source lists checks that were not assessed.'}
      </Dimmed>
    );
  }
  return (
    <>
      <NotScanned overview={overview} />
      <RowList>
        {sources.map(source => (
          <li key={source.id}>
            <RowText>
              <TextLink to={to.object('sources', source.id)} size="md" fw={500}>
                {source.name}
              </TextLink>
              <Dimmed>{nextStepOf(source)}</Dimmed>
            </RowText>
            {lastScanFailed(source) ? (
              <StatusBadge status="failed" label="Last scan failed" />
            ) : (
              <StatusBadge status={statusOf(source)} />
            )}
          </li>
        ))}
      </RowList>
      {total > sources.length && (
        <TextLink to={to.section('sources')}>{(total - sources.length).toLocaleString()} more</TextLink>
      )}
    </>
  );
}

function NotScanned({ overview: { not_scanned, sources } }: { readonly overview: Overview }) {
  if (not_scanned === 0) return null;
  if (not_scanned === sources) return <Text size="sm">No source has been scanned.</Text>;
  return (
    <Text size="sm">
      {not_scanned === 1
        ? "1 source has never been scanned. It doesn't count toward the score."
        : `${not_scanned.toLocaleString()} sources have never been scanned. They don't count toward the score.`}
    </Text>
  );
}

/** Of a source that is connected otherwise. */
const lastScanFailed = (source: Pick<SourceRow, 'last_scan' | 'status' | 'probe_state'>) =>
  source.last_scan?.status === 'failed' && statusOf(source) === 'connected';

function nextStepOf({ last_scan, state, ...source }: SourceRow): string {
  if (lastScanFailed({ last_scan, ...source })) {
    return 'The last scan assessed nothing. Open the source to see why.';
  }
  const finished = last_scan?.finished_at;
  if (finished && Date.now() - Date.parse(finished) > outdatedAfterDays * day) {
    return `Last scanned more than ${outdatedAfterDays} days ago. Run a scan.`;
  }
  return state.next?.text ?? state.allows;
}
