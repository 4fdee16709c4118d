import type { FindingFilters } from '../../contract/dashboard/finding-filters.ts';
import type { ExportFormat } from '../../contract/dashboard/findings.ts';
import type { FindingStatus } from '../../contract/findings.ts';
import type { Severity } from '../../contract/severity.ts';
import type { SourceKind } from '../../contract/sources.ts';
import { inBatches } from '../../database/batches.ts';
import { idsOf, newest, pageOf } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { workColumns } from './due-dates.ts';
import { conditionsOf, matches } from './finding-conditions.ts';

/** A finding as exported to a file. */
export interface ExportedFinding {
  readonly id: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  readonly category: string;
  readonly title: string;
  readonly locator: string;
  readonly seen: string;
  readonly remediation: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_seen_at: string;
  readonly accepted_until: string | null;
  readonly owner: { readonly id: string; readonly name: string } | null;
  /** UTC. */
  readonly due_on: string | null;
  readonly due_is_own: boolean;
  readonly overdue: boolean;
  readonly source_id: string;
  readonly source_name: string;
  readonly source_kind: SourceKind;
  readonly source_host: string;
  readonly system_id: string;
  readonly system_name: string;
}

/**
 * All findings that match the filters, newest first, in batches. The export is in the audit log before the first one is
 * read.
 */
export async function exportFindings(
  store: TenantStore,
  organizationId: string,
  filters: FindingFilters,
  format: ExportFormat,
): Promise<AsyncGenerator<ExportedFinding[]>> {
  await store.transaction(async transaction =>
    transaction.audit({
      action: 'findings.exported',
      objectKind: 'organization',
      objectId: organizationId,
      detail: { format, filters },
    }),
  );
  return inBatches<ExportedFinding>((last, limit) => readBatch(store, filters, last, limit));
}

async function readBatch(
  store: TenantStore,
  filters: FindingFilters,
  last: ExportedFinding | undefined,
  limit: number,
): Promise<ExportedFinding[]> {
  const ids = await store.read(async session => {
    const conditions = await conditionsOf(session, filters);
    const matching = db
      .selectFrom('findings')
      .select('id')
      .where(eb => matches(eb, conditions));
    return session.query(pageOf(matching, newest, { limit, after: last }));
  });
  return store.queryOnce<ExportedFinding>({
    text: `select f.id, f.severity, f.status, f.category, f.title, f.locator, f.seen, f.remediation, f.created_at, f.updated_at,
        f.last_seen_at, f.accepted_until, ${workColumns}, f.source_id, s.name as source_name, s.kind as source_kind,
        s.host as source_host, f.system_id, y.name as system_name
      from unnest($1::uuid[]) with ordinality as batch (id, place)
        cross join lateral (select * from findings where findings.id = batch.id offset 0) as f
        join sources s on s.id = f.source_id join systems y on y.id = f.system_id cross join organizations o
      order by batch.place`,
    values: [idsOf(ids)],
  });
}
