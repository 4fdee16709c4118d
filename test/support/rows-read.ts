import { type Query, queryConfig } from '../../src/database/connection.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that the scans of tables and functions read, also those that a filter removed. */
function read(node: PlanNode): number {
  const scanned = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const isScan = node['Relation Name'] !== undefined || node['Node Type'] === 'Function Scan';
  const own = isScan ? scanned * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + read(child), own);
}

/** Rows that all statements of the read make PostgreSQL read. */
export async function rowsRead(
  store: TenantStore,
  work: (store: TenantStore) => Promise<unknown>,
): Promise<number> {
  let sum = 0;
  const explaining = Object.create(store) as TenantStore;
  explaining.read = inSession =>
    store.read(session =>
      inSession({
        query: async (query: Query) => {
          const { text, values = [] } = queryConfig(query);
          const [plan] = await session.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
            text: `explain (analyze, format json) ${text}`,
            values,
          });
          sum += read(plan!['QUERY PLAN'][0].Plan);
          return session.query(query);
        },
      } as typeof session),
    );
  await work(explaining);
  return sum;
}
