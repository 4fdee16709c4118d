import { ChangeRole, PersonEnvelope } from '../../../contract/dashboard/people.ts';
import { assertFound, found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { changeRole, findMember } from '../../../resources/people/memberships.ts';
import { membershipTransaction } from '../../open-transaction.ts';
import { organizationPath } from '../../organization-path.ts';

export function changeRoleRoute(app: App): void {
  const schema = { params: IdParams, body: ChangeRole, response: { 200: PersonEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  app.patch(`${organizationPath}/people/:id`, { config, schema }, async request => {
    const personId = objectId(request.params);
    const { organizationId, actor, role: by } = request;
    const change = { organizationId, personId, actor, by };
    const changed = await membershipTransaction(request, transaction =>
      changeRole(transaction, change, request.body.role),
    );
    assertFound(changed);
    return { person: found(await findMember(request.people, organizationId, personId)) };
  });
}
