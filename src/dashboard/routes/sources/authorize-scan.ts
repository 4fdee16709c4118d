import { SourceEnvelope } from '../../../contract/sources.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { authorizeSource } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';

export function authorizeScanRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: SourceEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/sources/:id/authorize-scan`, { config, schema }, async request => {
    const id = objectId(request.params);
    const source = await request.store.transaction(async transaction =>
      authorizeSource(transaction, found(await lockSource(transaction, id))),
    );
    return { source };
  });
}
