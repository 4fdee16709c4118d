import { MintedApiKey } from '../../../contract/dashboard/keys.ts';
import { closed } from '../../../contract/values.ts';
import { IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { mintNextKey } from '../../../resources/probes/add-probe.ts';
import { organizationPath } from '../../organization-path.ts';

/** Creates the next key of a probe. The current one stays valid until it is revoked, so that no report is lost. */
export function rotateProbeKeyRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 201: MintedApiKey } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/probes/:id/rotate-key`, { config, schema }, async (request, reply) => {
    const id = objectId(request.params);
    const minted = await request.store.transaction(transaction => mintNextKey(transaction, id));
    return reply.code(201).send(minted);
  });
}
