import { SourceEnvelope } from '../../../contract/sources.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { disconnect } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';

export function disconnectSourceRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: SourceEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.delete(`${organizationPath}/sources/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const source = await request.store.transaction(async transaction =>
      disconnect(transaction, found(await lockSource(transaction, id))),
    );
    return { source };
  });
}
