import { AcceptedRisk, AcceptRisk } from '../../../contract/sources.ts';
import { assertAllowed } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { acceptCurrentRisk } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { describe } from '../../describe.ts';
import { judgeSource } from './judge-source.ts';

export function acceptRiskRoute(app: App): void {
  const schema = describe('Accept the risk statement of a source', {
    params: IdParams,
    body: AcceptRisk,
    response: { 200: AcceptedRisk },
  });
  const onRequest = judgeSource(({ status }) => assertAllowed(status, 'accept_risk'));
  const config = { scope: 'sources:write', bodyOptional: true } as const;
  app.post('/api/v1/sources/:id/risk-accept', { config, schema, onRequest }, async request => {
    const id = objectId(request.params);
    return request.store.transaction(async transaction =>
      acceptCurrentRisk(
        transaction,
        found(await lockSource(transaction, id)),
        request.body.statement_version ?? undefined,
      ),
    );
  });
}
