import { closed } from '../../../contract/values.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { deleteEvidence } from '../../../resources/evidence/evidence.ts';
import { organizationPath } from '../../organization-path.ts';

/** Refused during the retention period of six years. */
export function deleteEvidenceRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { params: IdParams, response: { 200: closed({}) } };
  app.delete(`${organizationPath}/evidence/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const deleted = await request.store.transaction(transaction => deleteEvidence(transaction, id));
    assertFound(deleted);
    return {};
  });
}
