import { DomainProofEnvelope } from '../../../contract/dashboard/sources.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { requestDomainProof } from '../../../resources/sources/domain-proofs.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { assertedProof } from '../../domain-proof.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Returns the token to publish. It is created once and does not change. */
export function requestDomainProofRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: DomainProofEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/sources/:id/domain-proof`, { config, schema }, request => {
    const id = objectId(request.params);
    return request.store.transaction(async transaction => {
      const source = found(await lockSource(transaction, id));
      return { proof: assertedProof(source, await requestDomainProof(transaction, id), services) };
    });
  });
}
