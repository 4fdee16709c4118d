import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PeopleTransaction } from '../../../database/people-store.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { anyQuery } from '../../../http/closed-queries.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import {
  arriveByIdentity,
  type Identity,
  lockIdentity,
  personOfIdentity,
} from '../../../resources/people/identities.ts';
import { keepPendingIdentity } from '../../../resources/people/pending-identities.ts';
import { admitAttempt, rightSignIn } from '../../../resources/people/sign-in-attempts.ts';
import { setSessionCookie, takeOidcCookie } from '../../cookies.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { spendChallenge } from '../../sign-in/challenges.ts';
import { stateOf } from '../../sign-in/describe-session.ts';
import { knownDevice } from '../../sign-in/known-device.ts';
import { knowBrowser, openSession } from '../../sign-in/open-session.ts';
import { reasonOf } from './begin.ts';

/**
 * Callback of the OpenID provider. A linked identity opens a session, which still requires the second factor. All other cases
 * continue on a dashboard page, since the redirect of the provider does not include strict cookies. The page receives the
 * token in the URL fragment: services on other ports of this host can read and set its cookies.
 */
export function finishOidcRoute(app: App, services: DashboardServices): void {
  const options = { config: { access: 'anyone' }, schema: { querystring: anyQuery } } as const;
  app.get('/dashboard/api/oidc/finish', options, async (request, reply) => {
    const home = dashboardAddress(services, request);
    return reply.redirect(home + (await comeBack(request, reply, services)));
  });
}

/** Path of the next page, below the dashboard address. */
async function comeBack(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
): Promise<string> {
  const { oidc } = services;
  const taken = await takeOidcCookie(request, reply, services);
  const refused = '/sign-in?problem=provider_refused';
  if (!oidc || !taken) return refused;
  const { attempt, seal } = taken;
  const { purpose, sessionId } = attempt;
  // Parsed once, for this decision and for the OpenID client: Fastify and URL disagree about text after a `#`.
  const query = new URL(request.url, 'http://parapet.invalid').searchParams;
  // Sends one request to the provider per attempt, and none without the state and a code.
  const isAnswer = query.get('state') === attempt.state && query.has('code');
  if (isAnswer && !(await spendChallenge(request.unproven, seal))) return refused;
  let identity: Identity;
  try {
    identity = await oidc.finish(query, attempt, request.ip);
  } catch (error) {
    request.log.warn({ reason: reasonOf(error) }, 'oidc.refused');
    if (purpose === 'step_up') return '/provider?problem=provider_refused';
    return error instanceof Refusal ? '/sign-in?problem=provider_unreachable' : refused;
  }
  if (purpose === 'sign_in' && (await mustWait(request, services, identity))) {
    return '/sign-in?problem=too_many_sign_ins';
  }
  const decide = async (transaction: PeopleTransaction) => {
    const token = await keepPendingIdentity(transaction, { ...identity, purpose, sessionId });
    return { page: `/provider#token=${token}`, grant: () => {} };
  };
  const linked = await personOfIdentity(request.people, identity);
  const concern = linked === undefined ? undefined : { personId: linked };
  const { page, grant } = await request.people.transaction(async transaction => {
    if (purpose !== 'sign_in') return decide(transaction);
    const known = await personOfIdentity(transaction, identity);
    if (known && !(await lockIdentity(transaction, identity, known))) {
      return { page: refused, grant: () => {} };
    }
    const arrival = known
      ? ({ kind: 'account', personId: known } as const)
      : await arriveByIdentity(transaction, identity, request.ip);
    if (arrival.kind === 'not_invited') return { page: '/sign-in?problem=not_invited', grant: () => {} };
    if (arrival.kind === 'decide') return decide(transaction);
    const { personId } = arrival;
    const actor = personActor(request, personId);
    await auditAccount(transaction, actor, personId, { action: 'person.provider_accepted' });
    const token = await openSession(request, transaction, personId, identity);
    return { page: '/', grant: () => answerOpened(request, reply, services, token) };
  }, concern);
  await grant();
  return page;
}

/**
 * Sets the session cookie, and marks the browser as known if the sign-in is complete. Errors are ignored, since the session
 * is already committed.
 */
async function answerOpened(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  token: string,
): Promise<void> {
  setSessionCookie(reply, services, token);
  const session = await services.storage.lookups.findSession(token, null).catch(() => undefined);
  if (session && stateOf(session) === 'signed_in') {
    await knowBrowser(request, reply, services, session.personId);
  }
}

/** Provider sign-ins count as successful sign-ins: each adds an audit entry and a session. */
async function mustWait(
  request: FastifyRequest,
  services: DashboardServices,
  identity: Identity,
): Promise<boolean> {
  const personId = await personOfIdentity(request.people, identity);
  if (personId === undefined) return false;
  const device = await knownDevice(request, services, personId);
  const { wait } = await admitAttempt(request.people, [
    rightSignIn('provider', personId, request.ip, device),
  ]);
  return wait > 0;
}
