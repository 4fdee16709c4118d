import { AnswerInvitation, Session } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { concernOfInvitation, declineInvitation } from '../../../resources/people/invitations.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';
import { inviteeOf } from '../../sign-in/invitee.ts';

export function declineInvitationRoute(app: App, services: DashboardServices): void {
  const schema = { body: AnswerInvitation, response: { 200: Session } };
  const config = { access: 'person', stepUp: true } as const;
  app.post('/dashboard/api/invitations/decline', { config, schema }, async request => {
    const { people } = request;
    await openTransaction(
      request,
      people,
      (transaction, account) => declineInvitation(transaction, request.body, inviteeOf(request, account)),
      await concernOfInvitation(people, request.body),
    );
    return describeSession(request, services, request.sessionToken);
  });
}
