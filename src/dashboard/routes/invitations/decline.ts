import { AnswerInvitation, Session } from '../../../contract/dashboard/session.ts';
import type { Api } from '../../../http/api.ts';
import { concernOfInvitation, declineInvitation } from '../../../storage/people/invitations.ts';
import { describeSession } from '../../describe-session.ts';
import { inviteeOf } from '../../invitee.ts';
import type { DashboardServices } from '../../services.ts';

export function declineInvitationRoute(app: Api, services: DashboardServices): void {
  const schema = { body: AnswerInvitation, response: { 200: Session } };
  const config = { access: 'person', stepUp: true } as const;
  app.post('/dashboard/api/invitations/decline', { config, schema }, async request => {
    await request.people.transaction(
      transaction => declineInvitation(transaction, request.body, inviteeOf(request)),
      await concernOfInvitation(request.people, request.body),
    );
    return describeSession(request, services, request.sessionToken);
  });
}
