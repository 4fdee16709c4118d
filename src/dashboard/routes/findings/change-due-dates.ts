import { ChangeDueDates, ChangedWork } from '../../../contract/dashboard/finding-work.ts';
import type { App } from '../../../http/app.ts';
import { changeDueDates } from '../../../resources/findings/finding-work.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';
import { countFindingChanges } from './work-limits.ts';

/** Gives one or more findings a due date of their own, or that of the policy again, all or none. */
export function changeDueDatesRoute(app: App, services: Pick<DashboardServices, 'storage'>): void {
  const schema = { body: ChangeDueDates, response: { 200: ChangedWork } };
  const config = {
    access: 'admin',
    stepUp: { notNeeded: 'The history of the finding has each due date, so that it can be undone.' },
  } as const;
  app.post(`${organizationPath}/findings/due`, { config, schema }, async request => {
    const ids = await countFindingChanges(request, services, 'work', request.body.ids);
    const findings = await request.store.transaction(transaction =>
      changeDueDates(transaction, ids, request.body.due_on),
    );
    return { findings };
  });
}
