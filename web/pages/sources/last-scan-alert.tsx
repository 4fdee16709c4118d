import { Alert, List, Text } from '@mantine/core';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** Says why the last scan assessed nothing of the source: its score and findings are of an earlier one. */
export function LastScanAlert({ source }: { readonly source: SourceDetail }) {
  const to = useOrganizationPaths();
  const { nothing_assessed: nothing, last_scan: scan } = source;
  if (!nothing || !scan?.finished_at) return null;
  const { causes } = nothing;
  return (
    <Alert color="red" variant="light" title="Last scan failed">
      <Text size="sm">
        The{' '}
        <TextLink to={to.object('scans', scan.id)} underline="always">
          last scan
        </TextLink>
        , <RelativeTime at={scan.finished_at} />, assessed nothing of this source.{' '}
        {source.score !== null && 'Score and findings are from an earlier scan. '}
        {causes.length === 0 && 'The list of checks below has the reasons.'}
        {causes.length === 1 && causes[0]}
      </Text>
      {causes.length > 1 && (
        <List size="sm" mt={4}>
          {causes.map(cause => (
            <List.Item key={cause}>{cause}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm" mt={4}>
        {source.connection_mode === 'probe'
          ? 'The probe assesses it again on its schedule.'
          : 'Fix the cause, then run the scan again.'}
      </Text>
    </Alert>
  );
}
