import { CreatedSource, CreateSource } from '../../../contract/sources.ts';
import { normalizeHost } from '../../../domain/host.ts';
import { currentRiskStatement } from '../../../domain/risk-statements.ts';
import { found } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { createSource } from '../../../storage/sources.ts';
import { findSystem } from '../../../storage/systems.ts';
import { describe } from '../../describe.ts';

export function createSourceRoute(app: Api): void {
  const schema = describe('Create a draft source', { body: CreateSource, response: { 201: CreatedSource } });
  app.post('/api/v1/sources', { config: { scope: 'sources:write' }, schema }, async (request, reply) => {
    const host = normalizeHost(request.body.kind, request.body.host);
    const source = await request.store.transaction(async transaction => {
      found(await findSystem(transaction, request.body.system_id));
      return createSource(transaction, { ...request.body, host });
    });
    return reply.code(201).send({ source, risk_statement: currentRiskStatement(source.kind) });
  });
}
