import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Role, roles } from '../../contract/dashboard/session.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { PeopleStore, SignedIn } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';
import { isLate } from '../../http/is-late.ts';
import { holdChanges } from '../../resources/people/changes-under-way.ts';
import { type OpenSession, touchSession } from '../../resources/people/sessions.ts';
import { ChangeRate } from '../change-rate.ts';
import { sessionToken } from '../cookies.ts';
import { assertCsrfToken, assertSameOrigin, isAskedHere } from '../cross-site.ts';
import { InFlight } from '../in-flight.ts';
import { applicantOf } from '../permits.ts';
import { personActor } from '../person-actor.ts';
import type { DashboardServices } from '../services.ts';
import { answerOnce, claimKey, idempotency } from './idempotency.ts';

/**
 * Who may call a route. `anyone`: nobody has to be signed in. `session`: the password was right. `enrolment`: signed in, or
 * about to set up the second factor that a role asks for. `person`: signed in. A role: signed in, and at least that in the
 * organization of the path.
 */
export type Access = 'anyone' | 'session' | 'enrolment' | 'person' | Role;

/**
 * `true`: asks for a second factor, or what stands in for one, given within the last five minutes on this session. A route
 * that changes something says `true`, or why a stolen session does no lasting harm with it.
 */
type StepUp = true | { readonly notNeeded: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    stepUp?: StepUp;
    /** Why it is counted neither by `ChangeRate` nor by `InFlight`. */
    uncounted?: string;
  }
  interface FastifyRequest {
    /** When the request was admitted, on the process's clock in milliseconds. */
    admittedAt: number;
    /** People's accounts, over the connections of who is signed in or, where nobody is, of those who sign in. */
    people: PeopleStore;
    /** For queries by what nobody has proven yet, such as the token of a link: apart from sign-ins, which must not wait for junk. */
    unproven: TenantSession;
    /** Where the browser stands; undefined where `anyone` calls without a session. */
    session: OpenSession | undefined;
    /** The cookie's token that goes with the session. */
    sessionToken: string | undefined;
    /** Who is signed in. */
    person: { readonly id: string; readonly email: string; readonly name: string };
    /** What the person may do in the organization of the path. */
    role: Role;
  }
}

/**
 * The way of every request below `/dashboard/api`, before its body is read: same site, session, second factor, membership,
 * role, step-up. A route that does not say who may call it, or whether it asks for a step-up, does not start.
 */
export function guardRoutes(app: App, services: DashboardServices): void {
  for (const name of ['session', 'sessionToken', 'person', 'role', 'admittedAt', 'people', 'unproven']) {
    app.decorateRequest(name, undefined as never);
  }
  idempotency(app);
  const count = changeCounter();
  const inFlight = new InFlight();
  app.addHook('onRoute', options => {
    const { url, method, config, handler } = options;
    if (!config?.access) throw new Error(`${url} does not say who may call it`);
    const { access, stepUp } = config;
    if ([method].flat().some(isChange) && !stepUp)
      throw new Error(`${url} does not say whether it asks for a step-up`);
    if (stepUp === true && (access === 'anyone' || access === 'session')) {
      throw new Error(`${url} asks for a step-up of who may not be signed in`);
    }
    options.handler = function (request, reply) {
      return inFlight.answer(reply.raw, () =>
        answerOnce(request, reply, () => handler.call(this, request, reply)),
      );
    };
  });
  app.addHook('onRequest', async (request, reply) => {
    await admit(request, reply, services);
    count(request);
    const { session, role } = request;
    const { access, uncounted } = request.routeOptions.config;
    if (session && !uncounted) {
      const needsNoSignIn = access === 'anyone' || access === 'session' || !isComplete(session);
      const scope = needsNoSignIn ? 'session' : role === undefined ? 'person' : 'organization';
      inFlight.enter(session, scope, reply.raw);
    }
  });
  // Who has a session decides when the body is there: by then it may have ended, or the role may be another.
  app.addHook('preValidation', async (request, reply) => {
    if (request.session && request.body !== undefined) await admit(request, reply, services, false);
    else await admitAgain(request, reply, services);
  });
}

/** Throws where a request that was admitted a while ago would not be now. */
export async function admitAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
): Promise<void> {
  if (isLate(request.admittedAt)) await admit(request, reply, services, false);
}

/**
 * @param isFirst false where it is asked again, perhaps within a transaction that others wait for: then nothing waits in the line of the
 *   person, who can fill it
 */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  isFirst = true,
): Promise<void> {
  request.admittedAt = performance.now();
  void reply.headers(headers).header('x-request-id', request.id);
  const { access = 'owner', stepUp } = request.routeOptions.config;
  const changes = isChange(request.method);
  if (changes) assertSameOrigin(request, services.publicUrl);
  else if (stepUp === true && !isAskedHere(request)) throw new Refusal('cross_site_request');
  const organization = organizationOf(request);
  const token = sessionToken(request, services);
  const session = token && (await services.storage.lookups.findSession(token, organization));
  request.people = services.storage.peopleFor(session ? placeOf(session) : undefined);
  request.unproven = session ? request.people : services.storage.lookups.unproven(clientNetwork(request.ip));
  if (!session) {
    if (access === 'anyone') return;
    throw new Refusal('unauthorized');
  }
  request.session = session;
  request.sessionToken = token;
  request.person = { id: session.personId, email: session.email, name: session.name };
  request.actor = personActor(request, session.personId);
  if (isFirst && session.lastSeenSecondsAgo >= 60 && !isAutomatic(request)) {
    await touchSession(request.people, session.id);
  }
  if (access === 'anyone') return;
  if (changes) assertCsrfToken(request, token);
  if (access === 'session') return;
  assertSecondFactor(session, access);
  if (access === 'enrolment' || access === 'person') {
    assertStepUp(session, stepUp);
    return;
  }
  // An organization that the person does not belong to is answered like one that does not exist.
  if (!organization || !session.role) throw new Refusal('not_found');
  assertRole(session.role, access);
  assertStepUp(session, stepUp);
  request.role = session.role;
  request.organizationId = organization;
  request.store = services.storage.tenantFor(session.personId, applicantOf(request, reply), request.actor, {
    // Whoever was removed has changed nothing after the answer to that.
    async assertMayChange(transaction, moment) {
      if (moment === 'done') return admit(request, reply, services, false);
      await holdChanges(transaction, session.personId);
      await admitAgain(request, reply, services);
      await claimKey(request, transaction);
    },
    assertMayRead: readGuard(request, services, access),
  });
}

/**
 * Throws where who began to read some time ago may not go on: a download takes minutes. The step-up was asked for at its beginning, and
 * the session may go on under another token after a further one. Where what opens the account has changed since, the reader may be
 * whom that was to keep out.
 */
function readGuard(request: FastifyRequest, services: DashboardServices, access: Role): () => Promise<void> {
  const { organizationId } = request;
  const { id: sessionId, renewals } = request.session!;
  let { admittedAt } = request;
  return async () => {
    if (!isLate(admittedAt)) return;
    const role = await services.storage.lookups.findRole({ sessionId, renewals, organizationId });
    if (role === undefined) throw new Refusal('unauthorized');
    if (role === null) throw new Refusal('not_found');
    assertRole(role, access);
    admittedAt = performance.now();
  };
}

/**
 * Counts what may add to an audit log: changes, and the exports, which take a step-up. In organizations they are counted by person.
 * Those of one's own account are counted by session, so that who has a stolen one does not use up what its owner needs in another
 * to end it; and by person, since one who knows the password opens as many as they like. A refused one counts too: by then its body
 * may have been read, and the database asked.
 */
function changeCounter(): (request: FastifyRequest) => void {
  const inOrganizations = new ChangeRate(300);
  const inSession = new ChangeRate(30);
  const ofAccount = new ChangeRate(300);
  return ({ method, role, session, routeOptions: { config } }) => {
    if (!session || config.access === 'anyone' || config.uncounted) return;
    if (role !== undefined) {
      if (isChange(method) || config.stepUp === true) inOrganizations.take(session.personId);
      return;
    }
    if (!isChange(method)) return;
    inSession.take(session.id);
    // Who has only the password uses up nothing of who has all.
    if (config.access !== 'session') ofAccount.take(session.personId);
  };
}

/**
 * Where its requests wait for connections. Those of incomplete sign-ins wait apart, one session beside the other: a password without
 * its second factor takes a part of what those connections are for whom it would keep waiting, its owner included.
 */
function placeOf(session: OpenSession): SignedIn {
  const { id, personId, line } = session;
  return isComplete(session)
    ? { person: personId, line }
    : { session: id, person: personId, line: `signing in ${line}` };
}

/** Whether its sign-in is complete, with the second factor that the person has or a role asks for. */
function isComplete({ secondFactorGiven, secondFactorSetUp, secondFactorAsked }: OpenSession): boolean {
  return secondFactorGiven || !(secondFactorSetUp || secondFactorAsked);
}

/** Whether the page sent it without its person. Such a request does not extend the session, so claiming it gains nothing. */
function isAutomatic({ headers }: FastifyRequest): boolean {
  return headers['x-automatic'] !== undefined;
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The organization of the path, or null where it names none, or none that there can be. */
function organizationOf(request: FastifyRequest): string | null {
  const { organization } = request.params as { organization?: string };
  return organization && isUuid(organization) ? organization : null;
}

function assertSecondFactor(session: OpenSession, access: Access): void {
  if (session.secondFactorSetUp && !session.secondFactorGiven) throw new Refusal('second_factor_required');
  if (access !== 'enrolment' && session.secondFactorAsked && !session.secondFactorSetUp) {
    throw new Refusal('second_factor_enrolment_required');
  }
}

function assertRole(role: Role, access: Role): void {
  if (roles.indexOf(role) < roles.indexOf(access)) throw new Refusal('forbidden');
}

function assertStepUp(session: OpenSession, stepUp: StepUp | undefined): void {
  if (stepUp === true) assertSteppedUp(session);
}

/** Throws `step_up_required`; for routes that ask for one only where what they change is everyone's. */
export function assertSteppedUp({ steppedUpUntil }: OpenSession): void {
  if (!steppedUpUntil) throw new Refusal('step_up_required');
}

/** Answers are for one person and one moment. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
