import { CreateAccount, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { createAccount } from '../../../resources/people/accounts.ts';
import {
  assertNotReserved,
  concernOfInvitation,
  previewInvitation,
} from '../../../resources/people/invitations.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, openSession } from '../../sign-in/open-session.ts';
import { passwordQueue } from '../../sign-in/password-queue.ts';
import { assertStrongPassword, hashPassword } from '../../sign-in/passwords.ts';

/**
 * Creates an account for the address of an invitation. The link neither verifies the address nor accepts the invitation: the
 * person accepts it after sign-in.
 */
export function createAccountRoute(app: App, services: DashboardServices): void {
  const schema = { body: CreateAccount, response: { 200: Session } };
  const notNeeded = 'Requires an invitation link, and no session.';
  const config = { access: 'anyone', stepUp: { notNeeded } } as const;
  app.post('/dashboard/api/invitations/account', { config, schema }, async (request, reply) => {
    const { people, unproven } = request;
    const { token, name, password } = request.body;
    const { email, organization_name, has_account } = await previewInvitation(unproven, token);
    if (has_account) throw new Refusal('sign_in_first');
    await assertNotReserved(people, token);
    const inviting = await concernOfInvitation(people, { token });
    if (!inviting) throw new Refusal('link_invalid');
    // All links of an organization share one holder, since it can create hundreds.
    const holder = inviting.organizationId;
    await assertStrongPassword(password, [name, email, organization_name], { line: 'others', holder });
    const passwordHash = await passwordQueue.run({ line: 'first', holder }, () => hashPassword(password));
    const opened = await people.transaction(async transaction => {
      // The invitation may have been used or withdrawn, or the account created, since the first check.
      await previewInvitation(transaction, token);
      await assertNotReserved(transaction, token);
      const id = await createAccount(transaction, { email, name, passwordHash, invitedBy: holder });
      if (id === undefined) throw new Refusal('sign_in_first');
      transaction.audit(inviting.organizationId, personActor(request, id), {
        action: 'person.account_created',
        objectKind: 'person',
        objectId: id,
        detail: { email, invitation: inviting.id },
      });
      return openSession(request, transaction, id, 'password');
    }, inviting);
    return answerSession(request, reply, services, opened);
  });
}
