import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../../../http/api.ts';
import { auditAccount } from '../../../storage/people/accounts.ts';
import { personOfIdentity } from '../../../storage/people/identities.ts';
import { setSessionCookie, takeOidcCookie } from '../../cookies.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import { openSession } from '../../open-session.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { reasonOf } from './begin.ts';

/**
 * The browser comes back from the OpenID provider, which stands for the password: the second factor is asked for as always.
 * Only who was invited gets in.
 */
export function finishOidcRoute(app: Api, services: DashboardServices): void {
  app.get('/dashboard/api/oidc/finish', { config: { access: 'anyone' } }, async (request, reply) => {
    const home = dashboardAddress(services, request);
    const problem = await signIn(request, reply, services);
    return reply.redirect(problem ? `${home}/sign-in?problem=${problem}` : `${home}/`);
  });
}

async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
): Promise<'provider_refused' | 'not_invited' | undefined> {
  const { oidc, storage } = services;
  const attempt = takeOidcCookie(request, reply, services);
  if (!oidc || !attempt) return 'provider_refused';
  let identity: Awaited<ReturnType<typeof oidc.finish>>;
  try {
    identity = await oidc.finish(request.url.replace(/^[^?]*/, ''), attempt);
  } catch (error) {
    request.log.warn({ reason: reasonOf(error) }, 'the OpenID provider has vouched for nobody');
    return 'provider_refused';
  }
  const { issuer, subject, verifiedEmail: email, name } = identity;
  const token = await storage.people.transaction(async transaction => {
    const personId = await personOfIdentity(transaction, { issuer, subject, email, name }, request.ip);
    if (!personId) return undefined;
    const actor = personActor(request, personId);
    await auditAccount(transaction, actor, personId, { action: 'person.provider_accepted' });
    return openSession(request, transaction, personId);
  });
  if (!token) return 'not_invited';
  setSessionCookie(reply, services, token);
  return undefined;
}
