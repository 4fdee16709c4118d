import pg from 'pg';
import type { ListFindingsQuery } from '../../src/contract/findings.ts';
import type { ConnectionSettings, Statement } from '../../src/database/connection.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { listFindings } from '../../src/resources/findings/findings.ts';

/** The query plan of a list's statement, with the organization set as in a request. */
export interface Plan {
  /** The organization's findings. */
  readonly findings: number;
  readonly query: string;
  /**
   * Planned for the parameter values, or once for all values: PostgreSQL chooses between both after five
   * executions.
   */
  readonly mode: 'custom' | 'generic';
  readonly returned: number;
  /** Rows that the plan's scans read, including those that a filter removed. */
  readonly read: number;
  readonly sorted: number;
  readonly buffers: number;
  readonly milliseconds: number;
  /** The indexes, or tables, that the plan scans. */
  readonly by: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly connection: ConnectionSettings;
  readonly organizationId: string;
  readonly findings: number;
}

/** The plans of the lists for the app role with the organization set. `queries` are query strings. */
export async function explainLists(
  { connection, organizationId, findings }: Explained,
  queries: readonly string[],
): Promise<Plan[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const plans: Plan[] = [];
  try {
    for (const query of queries) {
      const statement = await statementOf(query);
      for (const mode of ['custom', 'generic'] as const) {
        await client.query(`begin; set local parapet.organization_id = '${organizationId}'`);
        await client.query(
          `set local plan_cache_mode = force_${mode}_plan; prepare list as ${statement.text}`,
        );
        const values = (statement.values ?? []).map(value =>
          pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)),
        );
        const explain = `explain (analyze, buffers, format json) execute list (${values.join(', ')})`;
        // Twice, because the first execution fills the cache.
        await client.query(explain);
        const { rows } = await client.query(explain);
        await client.query('deallocate list; commit');
        plans.push({ findings, query, mode, ...summarize(rows[0]['QUERY PLAN'][0]) });
      }
    }
  } finally {
    await client.end();
  }
  return plans;
}

/** The statement that the list would send, captured. */
async function statementOf(list: string): Promise<Statement> {
  let caught: Statement | undefined;
  const query = async (statement: Statement) => {
    caught = statement;
    return [];
  };
  const parameters = Object.fromEntries(new URLSearchParams(list)) as ListFindingsQuery;
  await listFindings({ queryShared: query, queryOnce: query } as unknown as TenantStore, parameters);
  return caught!;
}

function summarize(plan: {
  Plan: PlanNode;
  'Execution Time': number;
}): Omit<Plan, 'findings' | 'query' | 'mode'> {
  const nodes = flatten(plan.Plan);
  // Only scans of tables and indexes: other nodes read rows that are already counted.
  const scans = nodes.filter(
    node => node['Index Name'] ?? (node['Relation Name'] && node['Node Type'] !== 'Bitmap Heap Scan'),
  );
  const sorts = nodes.filter(node => /Sort$/.test(node['Node Type']));
  const rowsInto = (node: PlanNode) => (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  return {
    returned: rowsOf(plan.Plan),
    read: scans.reduce((sum, node) => sum + rowsOf(node) + removedBy(node), 0),
    sorted: sorts.reduce((sum, node) => sum + rowsInto(node), 0),
    buffers: plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'],
    milliseconds: plan['Execution Time'],
    by: scans.flatMap(node => node['Index Name'] ?? node['Relation Name'] ?? []),
  };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function rowsOf(node: PlanNode): number {
  // PostgreSQL reports the mean over the loops.
  return Math.round(node['Actual Rows'] * node['Actual Loops']);
}

function removedBy(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return removed * node['Actual Loops'];
}
