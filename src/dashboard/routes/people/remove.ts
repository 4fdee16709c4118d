import { PeopleList } from '../../../contract/dashboard/people.ts';
import { assertFound, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { sendJson } from '../../../http/send-json.ts';
import { listPeopleText, removeMember } from '../../../resources/people/memberships.ts';
import { membershipTransaction } from '../../open-transaction.ts';
import { organizationPath } from '../../organization-path.ts';

/** Removes a member. Their access ends with this response, since memberships are checked on every request. */
export function removePersonRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: PeopleList } };
  const config = { access: 'admin', stepUp: true } as const;
  app.delete(`${organizationPath}/people/:id`, { config, schema }, async (request, reply) => {
    const personId = objectId(request.params);
    const { organizationId, actor, role: by } = request;
    const change = { organizationId, personId, actor, by };
    assertFound(await membershipTransaction(request, transaction => removeMember(transaction, change)));
    return sendJson(reply, `{"people":${await listPeopleText(request.people, organizationId)}}`);
  });
}
