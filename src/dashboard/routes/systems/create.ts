import { SystemRowEnvelope } from '../../../contract/dashboard/systems.ts';
import { CreateSystem } from '../../../contract/systems.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { approveSystem } from '../../../resources/systems/system-list.ts';
import { createSystem } from '../../../resources/systems/systems.ts';
import { organizationPath } from '../../organization-path.ts';

/** Systems are approved at creation, since creating and approving require the same role. */
export function createSystemRoute(app: App): void {
  const schema = { body: CreateSystem, response: { 201: SystemRowEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/systems`, { config, schema }, async (request, reply) => {
    const system = await request.store.transaction(async transaction => {
      const { id } = await createSystem(transaction, request.body);
      return found(await approveSystem(transaction, id));
    });
    return reply.code(201).send({ system });
  });
}
