import { SystemRowEnvelope } from '../../../contract/dashboard/systems.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { approveSystem } from '../../../resources/systems/system-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function approveSystemRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: SystemRowEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/systems/:id/approve`, { config, schema }, async request => {
    const id = objectId(request.params);
    return { system: found(await request.store.transaction(transaction => approveSystem(transaction, id))) };
  });
}
