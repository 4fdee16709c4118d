import { type AuditEntry, ExportAuditEntriesQuery } from '../../../contract/dashboard/audit.ts';
import { csvLine } from '../../../formats/csv.ts';
import type { App } from '../../../http/app.ts';
import { readAuditEntries } from '../../../resources/audit-log/audit-entries.ts';
import { jsonLines } from '../../exports/json-lines.ts';
import { writeRows } from '../../exports/pace.ts';
import { sendExport } from '../../exports/send-export.ts';
import { organizationPath } from '../../organization-path.ts';

/** Exports all entries that match the filters, newest first. The export itself adds an entry. */
export function exportAuditEntriesRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { querystring: ExportAuditEntriesQuery };
  const url = `${organizationPath}/audit/export`;
  app.get(url, { config, schema }, (request, reply) => {
    const { format, ...filters } = request.query;
    const name = `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`;
    const mediaType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return sendExport(request, reply, { name, mediaType }, async () => {
      await request.store.transaction(async transaction =>
        transaction.audit({
          action: 'audit_log.exported',
          objectKind: 'organization',
          objectId: request.organizationId,
          detail: { format, filters },
        }),
      );
      const batches = readAuditEntries(request.store, filters);
      return format === 'csv' ? csvOf(batches) : jsonLines(batches);
    });
  });
}

async function* csvOf(batches: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield csvLine([
    'sequence',
    'occurred_at',
    'actor_kind',
    'actor_id',
    'actor_name',
    'action',
    'object_kind',
    'object_id',
    'object_name',
    'address',
    'detail',
  ]);
  yield* writeRows(batches, entries => entries.map(csvOfEntry).join(''));
}

function csvOfEntry({ sequence, occurred_at, actor, action, object, address, detail }: AuditEntry): string {
  return csvLine([
    sequence,
    occurred_at,
    actor.kind,
    actor.id,
    actor.name,
    action,
    object.kind,
    object.id,
    object.name,
    address,
    JSON.stringify(detail),
  ]);
}
