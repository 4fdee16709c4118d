import { TurnWatchOn, WatchEnvelope } from '../../../contract/dashboard/sources.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { turnWatchOn } from '../../../resources/sources/watches.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Turns Watch on or changes its interval. The first scan starts at once. */
export function turnWatchOnRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, body: TurnWatchOn, response: { 200: WatchEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.put(`${organizationPath}/sources/:id/watch`, { config, schema }, async request => {
    const id = objectId(request.params);
    const { every_hours, next_scan_at } = await request.store.transaction(async transaction => {
      found(await lockSource(transaction, id));
      return turnWatchOn(transaction, id, request.body.every_hours, services);
    });
    return { watch: { every_hours, next_scan_at } };
  });
}
