import { closed } from '../../../contract/values.ts';
import { IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { removeProbe } from '../../../resources/probes/remove-probe.ts';
import { organizationPath } from '../../organization-path.ts';

/** Removes a silent probe from the list. It is listed again if it reports again. */
export function removeProbeRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: closed({}) } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/probes/:id/remove`, { config, schema }, async request => {
    const id = objectId(request.params);
    await request.store.transaction(transaction => removeProbe(transaction, id));
    return {};
  });
}
