import { Session } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { removeMember } from '../../../resources/people/memberships.ts';
import { membershipTransaction } from '../../open-transaction.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';

/** Leaves the organization. The last owner cannot leave. */
export function leaveOrganizationRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: Session } };
  const config = { access: 'member', stepUp: true } as const;
  app.post(`${organizationPath}/leave`, { config, schema }, async request => {
    const { organizationId, actor, person, role } = request;
    await membershipTransaction(request, transaction =>
      removeMember(transaction, { organizationId, personId: person.id, actor, by: role }),
    );
    return describeSession(request, services, request.sessionToken);
  });
}
