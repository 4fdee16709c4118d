import { PeopleList } from '../../../contract/dashboard/people.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { Api } from '../../../http/api.ts';
import { listPeople, removeMember } from '../../../storage/people/memberships.ts';
import { organizationPath } from '../../organization-path.ts';

/** Whoever is removed has lost access with this answer: memberships are asked for on every request. */
export function removePersonRoute(app: Api): void {
  const schema = { params: IdParams, response: { 200: PeopleList } };
  const config = { access: 'admin', stepUp: true } as const;
  app.delete(`${organizationPath}/people/:id`, { config, schema }, async request => {
    const personId = objectId(request.params);
    const { organizationId, actor, role: by } = request;
    return request.people.transaction(async transaction => {
      assertFound(await removeMember(transaction, { organizationId, personId, actor, by }));
      return { people: await listPeople(transaction, organizationId) };
    });
  });
}
