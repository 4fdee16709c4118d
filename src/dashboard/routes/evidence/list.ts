import { EvidenceList, ListEvidenceQuery } from '../../../contract/dashboard/evidence.ts';
import type { App } from '../../../http/app.ts';
import { listEvidence } from '../../../resources/evidence/evidence.ts';
import { organizationPath } from '../../organization-path.ts';

export function listEvidenceRoute(app: App): void {
  const config = { access: 'member' } as const;
  const schema = { querystring: ListEvidenceQuery, response: { 200: EvidenceList } };
  app.get(`${organizationPath}/evidence`, { config, schema }, request =>
    listEvidence(request.store, request.query),
  );
}
