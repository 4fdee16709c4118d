import { AuditEntryList, ListAuditEntriesQuery } from '../../../contract/dashboard/audit.ts';
import type { App } from '../../../http/app.ts';
import { listAuditEntries } from '../../../resources/audit-log/audit-entries.ts';
import { organizationPath } from '../../organization-path.ts';

export function listAuditEntriesRoute(app: App): void {
  const config = { access: 'admin' } as const;
  const schema = { querystring: ListAuditEntriesQuery, response: { 200: AuditEntryList } };
  app.get(`${organizationPath}/audit`, { config, schema }, request =>
    listAuditEntries(request.store, request.query),
  );
}
