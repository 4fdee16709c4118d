import { CreatedSource, CreateSource } from '../../../contract/sources.ts';
import type { App } from '../../../http/app.ts';
import { draftSource } from '../../../resources/sources/connect-source.ts';
import { describe } from '../../describe.ts';

export function createSourceRoute(app: App): void {
  const schema = describe('Create a draft source', { body: CreateSource, response: { 201: CreatedSource } });
  app.post('/api/v1/sources', { config: { scope: 'sources:write' }, schema }, async (request, reply) => {
    const draft = await request.store.transaction(transaction => draftSource(transaction, request.body));
    return reply.code(201).send(draft);
  });
}
