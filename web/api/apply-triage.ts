import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ListFindings } from '../../src/contract/dashboard/finding-filters.ts';
import type { FindingPage, TriagedFindings } from '../../src/contract/dashboard/findings.ts';
import { listKeys } from './query-keys.ts';

type Triaged = Static<typeof TriagedFindings>;
type Pages = InfiniteData<FindingPage>;

/** Changes the statuses in the loaded lists, which then lack the findings that their filters exclude. */
export function applyTriage(queries: QueryClient, organizationId: string, { findings }: Triaged): void {
  const statuses = new Map(findings.map(({ id, status }) => [id, status]));
  const lists = queries.getQueriesData<Pages>({ queryKey: listKeys(organizationId, 'findings') });
  for (const [key, data] of lists) {
    const shown = (key.at(-1) as ListFindings).status?.split(',');
    if (!data) continue;
    const pages = data.pages.map(page => ({
      ...page,
      findings: page.findings
        .map(row => ({ ...row, status: statuses.get(row.id) ?? row.status }))
        .filter(({ id, status }) => !statuses.has(id) || !shown || shown.includes(status)),
    }));
    queries.setQueryData<Pages>(key, { ...data, pages });
  }
}
