import { ProbeDetailEnvelope } from '../../../contract/dashboard/probes.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findProbeDetail } from '../../../resources/probes/probe-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function readProbeRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: ProbeDetailEnvelope } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/probes/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    return { probe: found(await request.store.read(session => findProbeDetail(session, id))) };
  });
}
