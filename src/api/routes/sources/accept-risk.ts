import { AcceptedRisk, AcceptRisk } from '../../../contract/sources.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { currentRiskStatement } from '../../../domain/risk-statements.ts';
import { assertAllowed } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { acceptRisk, lockSource } from '../../../storage/sources.ts';
import { describe } from '../../describe.ts';

export function acceptRiskRoute(app: Api): void {
  const schema = describe("Accept the source's current risk statement", {
    params: IdParams,
    body: AcceptRisk,
    response: { 200: AcceptedRisk },
  });
  const config = { scope: 'sources:write', bodyOptional: true } as const;
  app.post('/api/v1/sources/:id/risk-accept', { config, schema }, async request => {
    const id = objectId(request.params);
    const { source, acceptedAt, version } = await request.store.transaction(async transaction => {
      const current = found(await lockSource(transaction, id));
      assertAllowed(current.status, 'accept_risk');
      const statement = currentRiskStatement(current.kind);
      const read = request.body.statement_version ?? statement.version;
      if (read !== statement.version)
        throw new Refusal('risk_statement_outdated', { risk_statement: statement });
      return { ...(await acceptRisk(transaction, id, read)), version: read };
    });
    return { source, risk_acceptance: { statement_version: version, accepted_at: acceptedAt } };
  });
}
