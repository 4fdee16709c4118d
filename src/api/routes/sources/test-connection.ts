import { TestedSource } from '../../../contract/sources.ts';
import { closed } from '../../../contract/values.ts';
import { assertAllowed } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { findSource, lockSource, recordTest } from '../../../storage/sources.ts';
import { describe } from '../../describe.ts';
import type { ApiServices } from '../../services.ts';

export function testConnectionRoute(app: Api, services: ApiServices): void {
  const schema = describe('Test the connection. A pass authorizes nothing', {
    params: IdParams,
    body: closed({}),
    response: { 200: TestedSource },
  });
  const config = { scope: 'sources:write', bodyOptional: true } as const;
  app.post('/api/v1/sources/:id/test', { config, schema }, async request => {
    const id = objectId(request.params);
    const before = found(await request.store.read(session => findSource(session, id)));
    assertAllowed(before.status, 'test');
    const credential = await services.storage.vault.open(request.store, id);
    // The connection takes its time: no transaction is open meanwhile, and what came to be in between is asked again.
    const test = await services.testConnection(before, credential);
    const source = await request.store.transaction(async transaction => {
      assertAllowed(found(await lockSource(transaction, id)).status, 'test');
      return recordTest(transaction, id, test);
    });
    return { source, test };
  });
}
