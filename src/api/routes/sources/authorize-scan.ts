import { SourceEnvelope } from '../../../contract/sources.ts';
import { closed } from '../../../contract/values.ts';
import { assertAllowed } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { authorizeScan, lockSource } from '../../../storage/sources.ts';
import { describe } from '../../describe.ts';

export function authorizeScanRoute(app: Api): void {
  const schema = describe('Authorize safe scans of the source', {
    params: IdParams,
    body: closed({}),
    response: { 200: SourceEnvelope },
  });
  const config = { scope: 'sources:write', bodyOptional: true } as const;
  app.post('/api/v1/sources/:id/authorize-scan', { config, schema }, async request => {
    const id = objectId(request.params);
    const source = await request.store.transaction(async transaction => {
      const current = found(await lockSource(transaction, id));
      assertAllowed(current.status, 'authorize_scan');
      return current.scan_authorized_at ? current : authorizeScan(transaction, id);
    });
    return { source };
  });
}
