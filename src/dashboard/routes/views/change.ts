import { FindingViewEnvelope, SaveFindingView } from '../../../contract/dashboard/views.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { changeFindingView } from '../../../storage/dashboard/finding-views.ts';
import { organizationPath } from '../../organization-path.ts';

export function changeViewRoute(app: Api): void {
  const schema = { params: IdParams, body: SaveFindingView, response: { 200: FindingViewEnvelope } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Keeps filters of a list, and gives access to nothing.' },
  } as const;
  app.put(`${organizationPath}/views/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const view = await request.store.transaction(transaction =>
      changeFindingView(transaction, request.person.id, id, request.body),
    );
    return { view: found(view) };
  });
}
