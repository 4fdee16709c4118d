import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowList, RowText } from '../../components/row-list.tsx';
import { ScanProgress } from '../../components/scan-progress.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';

export function RunningScans({ scans }: { readonly scans: Overview['running'] }) {
  const to = useOrganizationPaths();
  if (scans.length === 0) return <Dimmed>No scans are running.</Dimmed>;
  return (
    <RowList>
      {scans.map(scan => (
        <li key={scan.id}>
          <RowText>
            <TextLink to={to.object('scans', scan.id)} size="md" fw={500}>
              {scan.target.name}
            </TextLink>
            <Dimmed>
              Requested <RelativeTime at={scan.created_at} />
            </Dimmed>
          </RowText>
          <ScanProgress scan={scan} />
        </li>
      ))}
    </RowList>
  );
}
