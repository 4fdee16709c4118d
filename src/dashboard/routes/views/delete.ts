import { closed } from '../../../contract/values.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { deleteFindingView } from '../../../storage/dashboard/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';

export function deleteViewRoute(app: Api): void {
  const schema = { params: IdParams, response: { 200: closed({}) } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Keeps filters of a list, and gives access to nothing.' },
  } as const;
  app.delete(`${organizationPath}/views/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    assertFound(
      await request.store.transaction(transaction => deleteFindingView(transaction, request.person.id, id)),
    );
    return {};
  });
}
