import { CreateSystem, SystemEnvelope } from '../../../contract/systems.ts';
import type { App } from '../../../http/app.ts';
import { createSystem } from '../../../resources/systems/systems.ts';
import { describe } from '../../describe.ts';

export function createSystemRoute(app: App): void {
  const schema = describe('Create a system', { body: CreateSystem, response: { 201: SystemEnvelope } });
  app.post('/api/v1/systems', { config: { scope: 'sources:write' }, schema }, async (request, reply) => {
    const system = await request.store.transaction(transaction => createSystem(transaction, request.body));
    return reply.code(201).send({ system });
  });
}
