import pg from 'pg';
import type { ListFindingsQuery } from '../../src/contract/findings.ts';
import type { ConnectionSettings, Statement } from '../../src/database/connection.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { listFindings } from '../../src/resources/findings/findings.ts';

/** How a list's statement is carried out, bound to its organization like a request of it. */
export interface Plan {
  /** Of the organization. */
  readonly findings: number;
  readonly query: string;
  /** With the values known, or made once for all values: PostgreSQL chooses between both after five executions. */
  readonly mode: 'custom' | 'generic';
  readonly returned: number;
  /** Rows that were looked at to find those: by the plan's scans, with those that a filter removed. */
  readonly looked: number;
  readonly sorted: number;
  readonly buffers: number;
  readonly milliseconds: number;
  /** The scans' indexes, or tables. */
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

/** The plans of the lists, as the app role sees them with the organization set. `queries` are query strings. */
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
        const values = (statement.values ?? []).map(value => pg.escapeLiteral(String(value)));
        const explain = `explain (analyze, buffers, format json) execute list (${values.join(', ')})`;
        // Twice: the first fills the cache.
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

/** What the list would send, caught on its way. */
async function statementOf(query: string): Promise<Statement> {
  let caught: Statement | undefined;
  const queryOnce = async (statement: Statement) => {
    caught = statement;
    return [];
  };
  const parameters = Object.fromEntries(new URLSearchParams(query)) as ListFindingsQuery;
  await listFindings({ queryOnce } as unknown as TenantStore, parameters);
  return caught!;
}

function summarize(plan: {
  Plan: PlanNode;
  'Execution Time': number;
}): Omit<Plan, 'findings' | 'query' | 'mode'> {
  const nodes = flatten(plan.Plan);
  // Of a table or an index: what is read of another part of the statement has been counted there.
  const scans = nodes.filter(
    node => node['Index Name'] ?? (node['Relation Name'] && node['Node Type'] !== 'Bitmap Heap Scan'),
  );
  const sorts = nodes.filter(node => /Sort$/.test(node['Node Type']));
  const rowsInto = (node: PlanNode) => (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  return {
    returned: rowsOf(plan.Plan),
    looked: scans.reduce((sum, node) => sum + rowsOf(node) + removedBy(node), 0),
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
  // PostgreSQL gives the mean of the loops.
  return Math.round(node['Actual Rows'] * node['Actual Loops']);
}

function removedBy(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return removed * node['Actual Loops'];
}
