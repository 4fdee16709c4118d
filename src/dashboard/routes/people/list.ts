import { PeopleAndInvitations } from '../../../contract/dashboard/people.ts';
import type { Api } from '../../../http/api.ts';
import { listInvitations } from '../../../storage/people/invitations.ts';
import { listPeople } from '../../../storage/people/memberships.ts';
import { organizationPath } from '../../organization-path.ts';

/** Members see who belongs to the organization; who is invited, admins do. */
export function listPeopleRoute(app: Api): void {
  const schema = { response: { 200: PeopleAndInvitations } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/people`, { config, schema }, async request => {
    const { organizationId, role } = request;
    const [people, invitations] = await Promise.all([
      listPeople(request.people, organizationId),
      role === 'member' ? [] : listInvitations(request.people, organizationId),
    ]);
    return { people, invitations };
  });
}
