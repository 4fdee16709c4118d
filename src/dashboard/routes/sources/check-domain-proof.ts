import { CheckedDomainProof } from '../../../contract/dashboard/sources.ts';
import { closed } from '../../../contract/values.ts';
import { whileWanted } from '../../../database/while-wanted.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { recordDomainProof, storedDomainProof } from '../../../resources/sources/domain-proofs.ts';
import { findSource, isConnectable, lockSource } from '../../../resources/sources/sources.ts';
import { assertedProof } from '../../domain-proof.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** Checks for the token now. An existing proof stays valid if the token is not found. */
export function checkDomainProofRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: CheckedDomainProof } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/sources/:id/domain-proof/check`, { config, schema }, async request => {
    const id = objectId(request.params);
    const [source, stored] = await request.store.read(session =>
      Promise.all([findSource(session, id), storedDomainProof(session, id)]),
    );
    assertedProof(found(source), stored, services);
    const { organizationId } = request;
    const method = await whileWanted(
      () => isConnectable(request.store, id),
      signal => services.domainProof.find(found(source), found(stored).token, { organizationId, signal }),
    );
    return request.store.transaction(async transaction => {
      const now = found(await lockSource(transaction, id));
      if (method) await recordDomainProof(transaction, id, method);
      const proof = assertedProof(now, await storedDomainProof(transaction, id), services);
      return { found: Boolean(method), proof };
    });
  });
}
