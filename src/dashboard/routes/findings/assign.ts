import { AssignFindings, ChangedWork } from '../../../contract/dashboard/finding-work.ts';
import type { App } from '../../../http/app.ts';
import { assignFindings } from '../../../resources/findings/finding-work.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';
import { countFindingChanges } from './work-limits.ts';

/** Makes a member the owner of one or more findings, all or none. */
export function assignFindingsRoute(app: App, services: Pick<DashboardServices, 'storage'>): void {
  const schema = { body: AssignFindings, response: { 200: ChangedWork } };
  const config = {
    access: 'admin',
    stepUp: { notNeeded: 'The history of the finding has each owner, so that it can be undone.' },
  } as const;
  app.post(`${organizationPath}/findings/assign`, { config, schema }, async request => {
    const ids = await countFindingChanges(request, services, 'work', request.body.ids);
    const ownerId = request.body.owner_id?.toLowerCase() ?? null;
    const findings = await request.store.transaction(transaction =>
      assignFindings(transaction, ids, ownerId),
    );
    return { findings };
  });
}
