import type { FastifyRequest } from 'fastify';
import { AcceptInvitation, Session } from '../../../contract/dashboard/session.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Api } from '../../../http/api.ts';
import { createAccount } from '../../../storage/people/accounts.ts';
import { acceptInvitation, previewInvitation } from '../../../storage/people/invitations.ts';
import { assertCsrfToken } from '../../cross-site.ts';
import { answerSession, openSession } from '../../open-session.ts';
import { assertStrongPassword, hashPassword } from '../../passwords.ts';
import type { DashboardServices } from '../../services.ts';

/** Who has an account accepts signed in; anyone else gets one, with a name and a password. */
export function acceptInvitationRoute(app: Api, services: DashboardServices): void {
  const schema = { body: AcceptInvitation, response: { 200: Session } };
  const config = { access: 'anyone' } as const;
  app.post('/dashboard/api/invitations/accept', { config, schema }, async (request, reply) => {
    const { token } = request.body;
    const invitation = await previewInvitation(services.storage.people, token);
    const opened = invitation.has_account
      ? await acceptSignedIn(request, services, token)
      : await acceptAsNew(request, services, invitation);
    return answerSession(reply, services, opened);
  });
}

async function acceptSignedIn(
  request: FastifyRequest,
  { storage }: DashboardServices,
  token: string,
): Promise<string> {
  const { session, sessionToken, person } = request;
  if (!session || !sessionToken || (session.secondFactorSetUp && !session.secondFactorGiven)) {
    throw new Refusal('sign_in_first');
  }
  assertCsrfToken(request, sessionToken);
  await storage.people.transaction(transaction =>
    acceptInvitation(transaction, token, { ...person, address: request.ip }),
  );
  return sessionToken;
}

async function acceptAsNew(
  request: FastifyRequest<{ Body: { token: string; name?: string; password?: string } }>,
  services: DashboardServices,
  { email, organization_name }: { readonly email: string; readonly organization_name: string },
): Promise<string> {
  const { token, name, password } = request.body;
  if (name === undefined || password === undefined) {
    const missing = { name, password };
    const fields = Object.entries(missing).filter(([, value]) => value === undefined);
    throw new Refusal('invalid_body', {
      fields: fields.map(([path]) => ({ path, message: 'is required' })),
    });
  }
  await assertStrongPassword(password, [name, email, organization_name]);
  const passwordHash = await hashPassword(password);
  return services.storage.people.transaction(async transaction => {
    const id = await createAccount(transaction, { email, name, passwordHash });
    // Somebody has made it since the look before.
    if (id === undefined) throw new Refusal('sign_in_first');
    await acceptInvitation(transaction, token, { id, email, address: request.ip });
    return openSession(request, transaction, id);
  });
}
