import { AnswerInvitation, Session } from '../../../contract/dashboard/session.ts';
import type { Api } from '../../../http/api.ts';
import { concernOfInvitation, declineInvitation } from '../../../storage/people/invitations.ts';
import { describeSession } from '../../describe-session.ts';
import { inviteeOf } from '../../invitee.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';

export function declineInvitationRoute(app: Api, services: DashboardServices): void {
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
