import { FindingEnvelope } from '../../../contract/findings.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findFinding } from '../../../resources/findings/findings.ts';
import { describe } from '../../describe.ts';

export function readFindingRoute(app: App): void {
  const schema = describe('Get a finding', { params: IdParams, response: { 200: FindingEnvelope } });
  app.get(
    '/api/v1/findings/:id',
    { config: { scope: 'findings:read', reads: 'findings' }, schema },
    async request => {
      const finding = found(await findFinding(request.store, objectId(request.params)));
      return { finding };
    },
  );
}
