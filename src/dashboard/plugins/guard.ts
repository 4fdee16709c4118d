import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Role, roles } from '../../contract/dashboard/session.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { PeopleStore, SignedIn } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';
import { isLate } from '../../http/is-late.ts';
import type { ChangeLimit } from '../../resources/people/change-counts.ts';
import { holdChanges } from '../../resources/people/changes-in-progress.ts';
import { type OpenSession, touchSession } from '../../resources/people/sessions.ts';
import { hasJustChanged, sessionToken, setChangedCookie } from '../cookies.ts';
import { assertCsrfToken, assertSameOrigin, isAskedHere } from '../cross-site.ts';
import { InFlight } from '../in-flight.ts';
import { applicantOf } from '../permits.ts';
import { personActor } from '../person-actor.ts';
import type { DashboardServices } from '../services.ts';
import { answerOnce, claimKey, idempotency } from './idempotency.ts';

/**
 * Who may call a route. `anyone`: without sign-in. `session`: the password was correct. `enrolment`: signed in, or about to
 * set up the second factor that the role requires. `person`: signed in. A role: signed in, with at least that role in the
 * organization of the path.
 */
export type Access = 'anyone' | 'session' | 'enrolment' | 'person' | Role;

/**
 * `true`: requires a second factor, or its replacement, on this session within the last five minutes. Routes that make
 * changes set `true`, or the reason why a stolen session does no lasting harm with them.
 */
type StepUp = true | { readonly notNeeded: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    stepUp?: StepUp;
    /** Reason to be counted neither by `countChange` nor by `InFlight`. */
    uncounted?: string;
  }
  interface FastifyRequest {
    /** Time of admission on the process clock, in milliseconds. */
    admittedAt: number;
    /** Accounts, over the connections of the signed-in person or, without one, over the sign-in connections. */
    people: PeopleStore;
    /** For queries by unverified values, such as link tokens. Separate from sign-ins, which must not wait for junk. */
    unproven: TenantSession;
    /** Session of the browser; undefined if a route for `anyone` is called without one. */
    session: OpenSession | undefined;
    /** Token of the session, from the cookie. */
    sessionToken: string | undefined;
    /** The signed-in person. */
    person: { readonly id: string; readonly email: string; readonly name: string };
    /** Role of the person in the organization of the path. */
    role: Role;
  }
}

/**
 * Checks every request below `/dashboard/api` before its body is read: same site, session, second factor, membership, role,
 * step-up. The service does not start if a route does not declare its access and step-up.
 */
export function guardRoutes(app: App, services: DashboardServices): void {
  for (const name of ['session', 'sessionToken', 'person', 'role', 'admittedAt', 'people', 'unproven']) {
    app.decorateRequest(name, undefined as never);
  }
  idempotency(app);
  const inFlight = new InFlight();
  app.addHook('onRoute', options => {
    const { url, method, config, handler } = options;
    if (!config?.access) throw new Error(`${url} does not declare its access`);
    const { access, stepUp } = config;
    if ([method].flat().some(isChange) && !stepUp) throw new Error(`${url} does not declare its step-up`);
    if (stepUp === true && (access === 'anyone' || access === 'session')) {
      throw new Error(`${url} requires a step-up, but no sign-in`);
    }
    options.handler = function (request, reply) {
      return inFlight.answer(reply.raw, () =>
        answerOnce(request, reply, () => handler.call(this, request, reply)),
      );
    };
  });
  app.addHook('onRequest', async (request, reply) => {
    await admit(request, reply, services);
    const counted = countChange(request, services);
    // If the next line throws, the request counts, but nothing waits for it.
    counted.catch(() => {});
    const { session, role } = request;
    const { access, uncounted } = request.routeOptions.config;
    if (session && !uncounted) {
      const needsNoSignIn = access === 'anyone' || access === 'session' || !isComplete(session);
      const scope = needsNoSignIn ? 'session' : role === undefined ? 'person' : 'organization';
      inFlight.enter(session, scope, reply.raw);
    }
    await counted;
  });
  // The session may have ended, or the role changed, while the body was received.
  app.addHook('preValidation', async (request, reply) => {
    if (request.session && request.body !== undefined) await admit(request, reply, services, false);
    else await admitAgain(request, reply, services);
  });
}

/** Throws if a request that was admitted a while ago would no longer be admitted. */
export async function admitAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
): Promise<void> {
  if (isLate(request.admittedAt)) await admit(request, reply, services, false);
}

/**
 * @param isFirst false for repeated checks, possibly within a transaction that blocks others. Those must not wait for the
 *   connections of the person, who can exhaust them
 */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  isFirst = true,
): Promise<void> {
  request.admittedAt = performance.now();
  void reply.headers(headers);
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
    throw new Refusal('unauthorized', {}, { because: { reason: token ? 'session_ended' : 'no_session' } });
  }
  request.session = session;
  request.sessionToken = token;
  request.person = { id: session.personId, email: session.email, name: session.name };
  request.actor = personActor(request, session.personId);
  // An export is noted in the audit log.
  if ((changes || stepUp === true) && services.storage.replica) setChangedCookie(reply, services);
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
  // Other organizations are indistinguishable from ones that do not exist.
  if (!organization || !session.role) throw new Refusal('not_found');
  assertRole(session.role, access);
  assertStepUp(session, stepUp);
  request.role = session.role;
  request.organizationId = organization;
  request.store = services.storage.tenantFor(session.personId, applicantOf(request, reply), request.actor, {
    requestId: request.id,
    trace: request.span?.traceparent,
    mayBeOld: !changes && !hasJustChanged(request, services),
    // A removed member must not change anything after the removal was confirmed.
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
 * Checks long reads again, since downloads take minutes. The step-up was checked at the start, and a later one may have
 * renewed the session token. Changes to the sign-in methods of the account also end the read, since they may be meant to lock
 * out the reader.
 */
function readGuard(request: FastifyRequest, services: DashboardServices, access: Role): () => Promise<void> {
  const { organizationId } = request;
  const { id: sessionId, renewals } = request.session!;
  let { admittedAt } = request;
  return async () => {
    if (!isLate(admittedAt)) return;
    const role = await services.storage.lookups.findRole({ sessionId, renewals, organizationId });
    if (role === undefined) throw new Refusal('unauthorized', {}, { because: { reason: 'session_ended' } });
    if (role === null) throw new Refusal('not_found');
    assertRole(role, access);
    admittedAt = performance.now();
  };
}

const inOrganizations: ChangeLimit = { name: 'in organizations', most: 300, seconds: 60 };
const inSession: ChangeLimit = { name: 'in session', most: 30, seconds: 60 };
const ofAccount: ChangeLimit = { name: 'of account', most: 300, seconds: 60 };

/**
 * Counts requests that can add audit entries: changes, and exports, which require a step-up. In organizations they count per
 * person. Account changes count per session, so that a stolen session does not use up the changes that its owner needs in
 * another session to end it. They also count per person, since anyone with the password can open many sessions. Refused
 * requests count too, since their body may have been read and the database queried.
 */
async function countChange(
  { method, role, session, routeOptions }: FastifyRequest,
  { storage: { lookups } }: DashboardServices,
): Promise<void> {
  const { access, stepUp, uncounted } = routeOptions.config;
  if (!session || access === 'anyone' || uncounted) return;
  const { id, personId } = session;
  if (role !== undefined) {
    if (isChange(method) || stepUp === true) await lookups.countChanges(personId, inOrganizations, personId);
    return;
  }
  if (!isChange(method)) return;
  await lookups.countChanges(personId, inSession, id);
  // A password alone must not use up the limit of complete sign-ins.
  if (access !== 'session') await lookups.countChanges(personId, ofAccount, personId);
}

/**
 * Connection queue of a session. Incomplete sign-ins queue separately, per session: a password without its second factor must
 * not delay complete sign-ins, including those of the account owner.
 */
function placeOf(session: OpenSession): SignedIn {
  const { id, personId, line } = session;
  return isComplete(session)
    ? { person: personId, line }
    : { session: id, person: personId, line: `signing in ${line}` };
}

/** Whether the sign-in includes the second factor that the person has or the role requires. */
function isComplete({ secondFactorGiven, secondFactorSetUp, secondFactorAsked }: OpenSession): boolean {
  return secondFactorGiven || !(secondFactorSetUp || secondFactorAsked);
}

/**
 * Whether the page sent the request without user interaction. Such requests do not extend the session, so the header needs no
 * verification.
 */
function isAutomatic({ headers }: FastifyRequest): boolean {
  return headers['x-automatic'] !== undefined;
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The organization of the path; null if absent or malformed. */
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
  if (roles.indexOf(role) >= roles.indexOf(access)) return;
  throw new Refusal('forbidden', {}, { because: { reason: 'role' } });
}

function assertStepUp(session: OpenSession, stepUp: StepUp | undefined): void {
  if (stepUp === true) assertSteppedUp(session);
}

/** Throws `step_up_required`. For routes that require a step-up only for shared objects. */
export function assertSteppedUp({ steppedUpUntil }: OpenSession): void {
  if (!steppedUpUntil) throw new Refusal('step_up_required');
}

/** Responses are personal and must not be cached. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
