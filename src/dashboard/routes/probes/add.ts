import { AddedProbe, AddProbe } from '../../../contract/dashboard/probes.ts';
import { IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { addProbe } from '../../../resources/probes/add-probe.ts';
import { organizationPath } from '../../organization-path.ts';

/** Prepares sources and a key for a new probe. The key's three values appear only in this response. */
export function addProbeRoute(app: App): void {
  const schema = { params: IdParams, body: AddProbe, response: { 201: AddedProbe } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/systems/:id/probes`, { config, schema }, async (request, reply) => {
    const systemId = objectId(request.params);
    const added = await request.store.transaction(transaction =>
      addProbe(transaction, systemId, request.body),
    );
    return reply.code(201).send(added);
  });
}
