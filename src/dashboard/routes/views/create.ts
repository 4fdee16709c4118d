import { FindingViewEnvelope, SaveFindingView } from '../../../contract/dashboard/views.ts';
import type { App } from '../../../http/app.ts';
import { createFindingView } from '../../../resources/findings/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';
import { assertSteppedUp } from '../../plugins/guard.ts';

export function createViewRoute(app: App): void {
  const schema = { body: SaveFindingView, response: { 201: FindingViewEnvelope } };
  const config = {
    access: 'member',
    stepUp: {
      notNeeded: 'Saves private filters. The route requires a step-up for shared views.',
    },
  } as const;
  app.post(`${organizationPath}/views`, { config, schema }, async (request, reply) => {
    const view = await request.store.transaction(transaction => {
      if (request.body.shared) assertSteppedUp(request.session!);
      return createFindingView(transaction, request.person.id, request.body);
    });
    return reply.code(201).send({ view });
  });
}
