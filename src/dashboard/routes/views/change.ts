import { FindingViewEnvelope, SaveFindingView } from '../../../contract/dashboard/views.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { changeFindingView } from '../../../resources/findings/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';
import { assertSteppedUp } from '../../plugins/guard.ts';

export function changeViewRoute(app: App): void {
  const schema = { params: IdParams, body: SaveFindingView, response: { 200: FindingViewEnvelope } };
  const config = {
    access: 'member',
    stepUp: {
      notNeeded: 'Saves private filters. The route requires a step-up for shared views.',
    },
  } as const;
  app.put(`${organizationPath}/views/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    return request.store.transaction(async transaction => {
      const { view, wasShared } = found(
        await changeFindingView(transaction, request.person.id, id, request.body),
      );
      if (wasShared || view.shared) assertSteppedUp(request.session!);
      return { view };
    });
  });
}
