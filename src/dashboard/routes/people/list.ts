import { PeopleAndInvitations } from '../../../contract/dashboard/people.ts';
import type { App } from '../../../http/app.ts';
import { sendJson } from '../../../http/send-json.ts';
import { listInvitations } from '../../../resources/people/invitations.ts';
import { listPeopleText } from '../../../resources/people/memberships.ts';
import { organizationPath } from '../../organization-path.ts';

/** Lists members. Only admins see invitations. */
export function listPeopleRoute(app: App): void {
  const schema = { response: { 200: PeopleAndInvitations } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/people`, { config, schema }, async (request, reply) => {
    const { organizationId, role } = request;
    const [people, invitations] = await Promise.all([
      listPeopleText(request.people, organizationId),
      role === 'member' ? [] : listInvitations(request.people, organizationId),
    ]);
    return sendJson(reply, `{"people":${people},"invitations":${JSON.stringify(invitations)}}`);
  });
}
