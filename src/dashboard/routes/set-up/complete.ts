import { Session, SetUp } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { createAccount } from '../../../resources/people/accounts.ts';
import { addMember } from '../../../resources/people/memberships.ts';
import { lockSetUp, previewSetUp, spendLink } from '../../../resources/people/one-time-links.ts';
import { createOrganization } from '../../../resources/people/organizations.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { answerSession, openSession } from '../../sign-in/open-session.ts';
import { passwordQueue } from '../../sign-in/password-queue.ts';
import { assertStrongPassword, hashPassword } from '../../sign-in/passwords.ts';

/** The first person creates the organization and becomes its owner. After that, set-up links no longer work. */
export function completeSetUpRoute(app: App, services: DashboardServices): void {
  const schema = { body: SetUp, response: { 200: Session } };
  const config = {
    access: 'anyone',
    stepUp: { notNeeded: 'Requires the one-time link of the first start, and no session.' },
  } as const;
  app.post('/dashboard/api/set-up', { config, schema }, async (request, reply) => {
    const { token, organization_name, name, email, password } = request.body;
    const { people, unproven } = request;
    await previewSetUp(unproven, token);
    await assertStrongPassword(password, [organization_name, name, email], { line: 'others', holder: token });
    const passwordHash = await passwordQueue.run({ line: 'first', holder: token }, () =>
      hashPassword(password),
    );
    const opened = await people.transaction(async transaction => {
      await lockSetUp(transaction);
      await spendLink(transaction, token);
      const personId = (await createAccount(transaction, { email, name, passwordHash }))!;
      const actor = personActor(request, personId);
      const organization = await createOrganization(transaction, organization_name, actor);
      await addMember(transaction, organization.id, personId, 'owner');
      transaction.audit(organization.id, actor, {
        action: 'person.joined',
        objectKind: 'person',
        objectId: personId,
        detail: { email, role: 'owner' },
      });
      return openSession(request, transaction, personId, 'password');
    });
    return answerSession(request, reply, services, opened);
  });
}
