import { SourceEnvelope } from '../../../contract/sources.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { disconnect } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { describe } from '../../describe.ts';
import { judgeSource } from './judge-source.ts';

export function disconnectSourceRoute(app: App): void {
  const schema = describe('Disconnect a source and delete its credential', {
    params: IdParams,
    response: { 200: SourceEnvelope },
  });
  const config = { scope: 'sources:write' } as const;
  const onRequest = judgeSource(() => {});
  app.delete('/api/v1/sources/:id', { config, schema, onRequest }, async request => {
    const id = objectId(request.params);
    const source = await request.store.transaction(async transaction => {
      return disconnect(transaction, found(await lockSource(transaction, id)));
    });
    return { source };
  });
}
