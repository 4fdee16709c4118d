import { WatchEnvelope } from '../../../contract/dashboard/sources.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { turnWatchOff } from '../../../resources/sources/watches.ts';
import { organizationPath } from '../../organization-path.ts';

export function turnWatchOffRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: WatchEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.delete(`${organizationPath}/sources/:id/watch`, { config, schema }, async request => {
    const id = objectId(request.params);
    await request.store.transaction(async transaction => {
      found(await lockSource(transaction, id));
      await turnWatchOff(transaction, id);
    });
    return { watch: null };
  });
}
