import { TestedSource } from '../../../contract/sources.ts';
import { closed } from '../../../contract/values.ts';
import { assertAllowed } from '../../../domain/source-states.ts';
import { IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { testSource } from '../../../resources/sources/connect-source.ts';
import { describe } from '../../describe.ts';
import type { ApiServices } from '../../services.ts';
import { judgeSource } from './judge-source.ts';

export function testConnectionRoute(app: App, services: ApiServices): void {
  const schema = describe('Test the connection to a source. A pass does not authorize scans', {
    params: IdParams,
    body: closed({}),
    response: { 200: TestedSource },
  });
  const onRequest = judgeSource(({ status }) => assertAllowed(status, 'test'));
  const config = { scope: 'sources:write', bodyOptional: true } as const;
  app.post('/api/v1/sources/:id/test', { config, schema, onRequest }, async request => {
    return testSource(request.store, objectId(request.params), {
      ...services,
      vault: services.storage.vault,
    });
  });
}
