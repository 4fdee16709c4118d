import { ScanChanges } from '../../../contract/dashboard/scans.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findScanChanges } from '../../../resources/scans/scan-changes.ts';
import { checkIndex } from '../../check-index.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** What a scan found, resolved and could not assess. */
export function readScanChangesRoute(app: App, services: DashboardServices): void {
  const titles = checkIndex(services.detectors);
  const schema = { params: IdParams, response: { 200: ScanChanges } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/scans/:id/changes`, { config, schema }, async request => {
    const changes = found(await findScanChanges(request.store, objectId(request.params)));
    const { total, checks } = changes.not_assessed;
    return {
      ...changes,
      not_assessed: {
        total,
        checks: checks.map(one => ({ ...one, title: titles.get(one.check)?.title ?? null })),
      },
    };
  });
}
