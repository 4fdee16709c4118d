import { InvitationEnvelope } from '../../../contract/dashboard/people.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { revokeInvitation } from '../../../resources/people/invitations.ts';
import { roleTransaction } from '../../open-transaction.ts';
import { organizationPath } from '../../organization-path.ts';

export function revokeInvitationRoute(app: App): void {
  const schema = { params: IdParams, response: { 200: InvitationEnvelope } };
  const config = { access: 'admin', stepUp: true } as const;
  const url = `${organizationPath}/invitations/:id`;
  app.delete(url, { config, schema }, async request => {
    const id = objectId(request.params);
    const { organizationId, actor } = request;
    const invitation = await roleTransaction(request, transaction =>
      revokeInvitation(transaction, organizationId, id, actor),
    );
    return { invitation: found(invitation) };
  });
}
