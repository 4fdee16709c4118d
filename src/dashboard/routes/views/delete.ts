import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { deleteFindingView } from '../../../resources/findings/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';
import { assertSteppedUp } from '../../plugins/guard.ts';

/** One's own; admins and owners also delete what others share, whose authors may have left. */
export function deleteViewRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: closed({}) } };
  const config = {
    access: 'member',
    stepUp: {
      notNeeded: "Deletes filters of one's own list. The route asks for one where others see them.",
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
