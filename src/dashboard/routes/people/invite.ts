import { InvitedPerson, InvitePerson } from '../../../contract/dashboard/people.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { invite } from '../../../resources/people/invitations.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import { roleTransaction } from '../../open-transaction.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/**
 * Creates an invitation. Its link is shown only once and must be sent by the inviter, since Parapet sends no email. Only
 * owners can invite owners.
 */
export function invitePersonRoute(app: App, services: DashboardServices): void {
  const schema = { body: InvitePerson, response: { 201: InvitedPerson } };
  const config = { access: 'admin', stepUp: true } as const;
  const url = `${organizationPath}/invitations`;
  app.post(url, { config, schema }, async (request, reply) => {
    const { email, role } = request.body;
    if (role === 'owner' && request.role !== 'owner') throw new Refusal('forbidden');
    const { organizationId, actor } = request;
    const { invitation, token } = await roleTransaction(request, transaction =>
      invite(transaction, { organizationId, email, role, actor }),
    );
    const link = `${dashboardAddress(services, request)}/invitation#token=${token}`;
    return reply.code(201).send({ invitation, url: link });
  });
}
