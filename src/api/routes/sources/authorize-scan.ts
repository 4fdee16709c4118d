import { SourceEnvelope } from '../../../contract/sources.ts';
import { closed } from '../../../contract/values.ts';
import { assertAllowed } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { authorizeSource } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { describe } from '../../describe.ts';
import { judgeSource } from './judge-source.ts';

export function authorizeScanRoute(app: App): void {
  const schema = describe('Authorize safe scans of a source', {
    params: IdParams,
    body: closed({}),
    response: { 200: SourceEnvelope },
  });
  const onRequest = judgeSource(({ status }) => assertAllowed(status, 'authorize_scan'));
  const config = { scope: 'sources:write', bodyOptional: true } as const;
  app.post('/api/v1/sources/:id/authorize-scan', { config, schema, onRequest }, async request => {
    const id = objectId(request.params);
    const source = await request.store.transaction(async transaction => {
      return authorizeSource(transaction, found(await lockSource(transaction, id)));
    });
    return { source };
  });
}
