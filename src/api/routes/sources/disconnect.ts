import { SourceEnvelope } from '../../../contract/sources.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { disconnectSource, lockSource } from '../../../storage/sources.ts';
import { describe } from '../../describe.ts';

export function disconnectSourceRoute(app: Api): void {
  const schema = describe('Disconnect a source and erase its credential', {
    params: IdParams,
    response: { 200: SourceEnvelope },
  });
  app.delete('/api/v1/sources/:id', { config: { scope: 'sources:write' }, schema }, async request => {
    const id = objectId(request.params);
    const source = await request.store.transaction(async transaction => {
      const current = found(await lockSource(transaction, id));
      return current.status === 'disconnected' ? current : disconnectSource(transaction, id);
    });
    return { source };
  });
}
