import { ScanEnvelope } from '../../../contract/scans.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { requestVerification } from '../../../resources/scans/request-verification.ts';
import { organizationPath } from '../../organization-path.ts';
import { assertSteppedUp } from '../../plugins/guard.ts';
import type { DashboardServices } from '../../services.ts';

/** Starts a scan for one finding, or returns the one that is running. */
export function verifyFindingRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, body: closed({}), response: { 202: ScanEnvelope } };
  const config = {
    access: 'admin',
    stepUp: {
      notNeeded:
        'Scans only authorized sources. The route requires a step-up for what only full scans assess.',
    },
  } as const;
  app.post(`${organizationPath}/findings/:id/verify`, { config, schema }, async (request, reply) => {
    const id = objectId(request.params);
    const scan = await request.store.transaction(transaction =>
      requestVerification(transaction, id, {
        ...services,
        assertFullAllowed: () => assertSteppedUp(request.session!),
      }),
    );
    return reply.code(202).send({ scan: found(scan) });
  });
}
