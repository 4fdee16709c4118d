import { ChangeSystem, SystemRowEnvelope } from '../../../contract/dashboard/systems.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { changeSystem } from '../../../resources/systems/system-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function changeSystemRoute(app: App): void {
  const schema = { params: IdParams, body: ChangeSystem, response: { 200: SystemRowEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.put(`${organizationPath}/systems/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const system = await request.store.transaction(transaction =>
      changeSystem(transaction, id, request.body),
    );
    return { system: found(system) };
  });
}
