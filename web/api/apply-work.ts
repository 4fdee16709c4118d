import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ChangedWork } from '../../src/contract/dashboard/finding-work.ts';
import type { FindingPage } from '../../src/contract/dashboard/findings.ts';
import { listKeys } from './query-keys.ts';

/** Changes owners and due dates in the loaded lists. */
export function applyWork(queries: QueryClient, organizationId: string, { findings }: ChangedWork): void {
  const changed = new Map(findings.map(finding => [finding.id, finding]));
  queries.setQueriesData<InfiniteData<FindingPage>>(
    { queryKey: listKeys(organizationId, 'findings') },
    data =>
      data && {
        ...data,
        pages: data.pages.map(page => ({
          ...page,
          findings: page.findings.map(row => ({ ...row, ...changed.get(row.id) })),
        })),
      },
  );
}
