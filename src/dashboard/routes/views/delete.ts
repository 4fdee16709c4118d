import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { deleteFindingView } from '../../../resources/findings/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';
import { assertSteppedUp } from '../../plugins/guard.ts';

/** Deletes a view. Admins and owners can also delete shared views of others, who may have left. */
export function deleteViewRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: closed({}) } };
  const config = {
    access: 'member',
    stepUp: {
      notNeeded: 'Deletes private filters. The route requires a step-up for shared views.',
    },
  } as const;
  app.delete(`${organizationPath}/views/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    await request.store.transaction(async transaction => {
      const othersToo = request.role !== 'member';
      const { shared } = found(await deleteFindingView(transaction, request.person.id, id, othersToo));
      if (shared) assertSteppedUp(request.session!);
    });
    return {};
  });
}
