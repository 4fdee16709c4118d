import type { Finding, ListFindingsQuery } from '../contract/findings.ts';
import type { Severity } from '../contract/severity.ts';
import { type Condition, type Page, pageStatement, toPage } from './page.ts';
import type { TenantSession, TenantStore } from './tenant-store.ts';

const columns = 'id, severity, category, title, remediation, status, created_at, updated_at, system_id';

export async function listFindings(store: TenantStore, query: ListFindingsQuery): Promise<Page<Finding>> {
  const conditions = conditionsOf(query);
  const rows = await store.queryOnce<Finding>(pageStatement('findings', columns, query, conditions));
  return toPage(rows, query, conditions);
}

/** The finding, or undefined when the organization has none with this id. */
export async function findFinding(store: TenantStore, id: string): Promise<Finding | undefined> {
  const rows = await store.queryOnce<Finding>({
    name: 'find-finding',
    text: `select ${columns} from findings where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Severities of the findings that are open on these sources. */
export async function openSeverities(
  session: TenantSession,
  sourceIds: readonly string[],
): Promise<Severity[]> {
  const rows = await session.query<{ severity: Severity }>({
    text: "select distinct severity from findings where source_id = any($1) and status = 'open'",
    values: [sourceIds],
  });
  return rows.map(row => row.severity);
}

function conditionsOf(query: ListFindingsQuery): Condition[] {
  const conditions: Condition[] = [];
  const equal = (column: string, value: string | undefined) => {
    if (value !== undefined) conditions.push({ sql: `${column} = $`, value });
  };
  equal('severity', query.severity);
  equal('status', query.status);
  equal('system_id', query.system_id);
  equal('source_id', query.source_id);
  if (query.category === 'hipaa') conditions.push({ sql: 'hipaa' });
  else if (query.category !== undefined) {
    // The dotted prefix as a range: in the column's byte order, '/' is what follows '.'.
    conditions.push({
      sql: `(category = $ or category > $ || '.' and category < $ || '/')`,
      value: query.category,
    });
  }
  return conditions;
}
