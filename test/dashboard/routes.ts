import { randomUUID } from 'node:crypto';
import type { Access } from '../../src/dashboard/plugins/guard.ts';
import { createFindingView } from '../../src/resources/findings/finding-views.ts';
import { createChannel } from '../../src/resources/notifications/channels.ts';
import { invite } from '../../src/resources/people/invitations.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import type { SharedService } from '../support/service.ts';
import { assuranceRoutes } from './assurance-routes.ts';
import { notificationRoutes } from './notification-routes.ts';
import { postureRoutes } from './posture-routes.ts';

/** An organization with objects of all kinds, and a signed-in person of each role. */
export interface DashboardFixture extends Fixture {
  readonly owner: TestPerson;
  readonly admin: TestPerson;
  readonly member: TestPerson;
  readonly invitationId: string;
  /** A probe of the system, which has seen the database `db.internal`. */
  readonly probeId: string;
  readonly channelId: string;
  /** A saved view of the member. */
  readonly viewId: string;
}

export interface DashboardRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path as registered, below `/dashboard/api`. */
  readonly pattern: string;
  readonly access: Access;
  readonly stepUp?: true;
  /** Status of a valid request by a caller with just enough access. */
  readonly status: number;
  /** The value of `:id`; routes without it may name an object in the body. */
  readonly id?: (fixture: DashboardFixture) => string;
  /** A valid body, as JSON. */
  readonly body?: (fixture: DashboardFixture) => object;
  /** The query string of a valid request. */
  readonly query?: string;
  /** Bytes instead of a JSON body. */
  readonly bytes?: string;
  /** Whether the body names an object that may belong to another organization. */
  readonly bodyNamesObject?: true;
}

const organization = '/organizations/:organization';

/** Every route, with a valid request by a caller with just enough access. */
export const dashboardRoutes: readonly DashboardRoute[] = [
  ...postureRoutes,
  ...assuranceRoutes,
  ...notificationRoutes,
  { method: 'GET', pattern: '/session', access: 'anyone', status: 200 },
  {
    method: 'POST',
    pattern: '/sign-in',
    access: 'anyone',
    status: 200,
    body: ({ member }) => ({ email: member.email, password: testPassword }),
  },
  {
    method: 'POST',
    pattern: '/second-factor',
    access: 'session',
    status: 401,
    body: () => ({ type: 'totp', code: '000000' }),
  },
  {
    method: 'POST',
    pattern: '/second-factor/passkey-options',
    access: 'session',
    status: 200,
    body: () => ({}),
  },
  { method: 'POST', pattern: '/sign-out', access: 'session', status: 200, body: () => ({}) },
  ...['/password-reset/preview', '/set-up/preview', '/invitations/preview'].map(
    pattern =>
      ({
        method: 'POST',
        pattern,
        access: 'anyone',
        status: 400,
        body: () => ({ token: 'no link has it' }),
      }) as const,
  ),
  ...['/invitations/accept', '/invitations/decline'].map(
    pattern =>
      ({
        method: 'POST',
        pattern,
        access: 'person',
        stepUp: true,
        status: 400,
        body: () => ({ token: 'no link has it' }),
      }) as const,
  ),
  {
    method: 'POST',
    pattern: '/invitations/account',
    access: 'anyone',
    status: 400,
    body: () => ({ token: 'no link has it', name: 'Ada', password: testPassword }),
  },
  { method: 'GET', pattern: '/step-up', access: 'person', stepUp: true, status: 200 },
  {
    method: 'POST',
    pattern: '/step-up/password',
    access: 'enrolment',
    status: 200,
    body: () => ({ password: testPassword }),
  },
  {
    method: 'POST',
    pattern: '/sign-in/passkey/options',
    access: 'anyone',
    status: 200,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: '/sign-in/passkey',
    access: 'anyone',
    status: 400,
    body: () => ({ response: { id: 'AA' } }),
  },
  { method: 'POST', pattern: '/oidc/pending', access: 'anyone', status: 400, body: () => ({ token: 'x' }) },
  { method: 'POST', pattern: '/oidc/claim', access: 'anyone', status: 400, body: () => ({ token: 'x' }) },
  {
    method: 'POST',
    pattern: '/oidc/link',
    access: 'person',
    stepUp: true,
    status: 400,
    body: () => ({ token: 'x' }),
  },
  {
    method: 'POST',
    pattern: '/oidc/step-up',
    access: 'enrolment',
    status: 403,
    body: () => ({ token: 'x' }),
  },
  {
    method: 'DELETE',
    pattern: '/account/identities/:id',
    access: 'person',
    stepUp: true,
    status: 404,
    id: () => randomUUID(),
  },
  {
    method: 'POST',
    pattern: '/password-reset',
    access: 'anyone',
    status: 400,
    body: () => ({ token: 'no link has it', password: testPassword }),
  },
  {
    method: 'POST',
    pattern: '/set-up',
    access: 'anyone',
    status: 400,
    body: () => ({
      token: 'no link has it',
      organization_name: 'A',
      name: 'B',
      email: 'a@example.org',
      password: testPassword,
    }),
  },
  { method: 'GET', pattern: '/oidc/begin', access: 'anyone', status: 302 },
  { method: 'GET', pattern: '/oidc/finish', access: 'anyone', status: 302 },
  { method: 'GET', pattern: '/account/security', access: 'enrolment', status: 200 },
  {
    method: 'PATCH',
    pattern: '/account',
    access: 'person',
    stepUp: true,
    status: 200,
    body: () => ({ name: 'Ada' }),
  },
  {
    method: 'POST',
    pattern: '/account/totp',
    access: 'enrolment',
    stepUp: true,
    status: 200,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: '/account/totp/confirm',
    access: 'enrolment',
    stepUp: true,
    status: 401,
    body: () => ({ code: '000000' }),
  },
  { method: 'DELETE', pattern: '/account/totp', access: 'person', stepUp: true, status: 404 },
  {
    method: 'POST',
    pattern: '/account/passkeys/options',
    access: 'enrolment',
    stepUp: true,
    status: 200,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: '/account/passkeys',
    access: 'enrolment',
    stepUp: true,
    status: 400,
    body: () => ({ name: 'Key', response: { id: 'AA' } }),
  },
  {
    method: 'PATCH',
    pattern: '/account/passkeys/:id',
    access: 'person',
    stepUp: true,
    status: 404,
    id: () => randomUUID(),
    body: () => ({ name: 'Key' }),
  },
  {
    method: 'DELETE',
    pattern: '/account/passkeys/:id',
    access: 'person',
    stepUp: true,
    status: 404,
    id: () => randomUUID(),
  },
  {
    method: 'POST',
    pattern: '/account/backup-codes',
    access: 'person',
    stepUp: true,
    status: 403,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: '/account/password',
    access: 'person',
    stepUp: true,
    status: 200,
    body: () => ({ current_password: testPassword, password: 'meadow brick falcon 29' }),
  },
  {
    method: 'DELETE',
    pattern: '/account/sessions/:id',
    access: 'enrolment',
    status: 404,
    id: () => randomUUID(),
  },
  {
    method: 'POST',
    pattern: '/account/sessions/end-others',
    access: 'enrolment',
    status: 200,
    body: () => ({}),
  },
  { method: 'GET', pattern: `${organization}/people`, access: 'member', status: 200 },
  {
    method: 'POST',
    pattern: `${organization}/invitations`,
    access: 'admin',
    stepUp: true,
    status: 201,
    body: () => ({ email: 'new@example.org', role: 'member' }),
  },
  {
    method: 'DELETE',
    pattern: `${organization}/invitations/:id`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: ({ invitationId }) => invitationId,
  },
  {
    method: 'PATCH',
    pattern: `${organization}/people/:id`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: ({ member }) => member.id,
    body: () => ({ role: 'admin' }),
  },
  {
    method: 'DELETE',
    pattern: `${organization}/people/:id`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: ({ member }) => member.id,
  },
  {
    method: 'POST',
    pattern: `${organization}/leave`,
    access: 'member',
    stepUp: true,
    status: 200,
    body: () => ({}),
  },
  { method: 'GET', pattern: `${organization}/keys`, access: 'admin', status: 200 },
  {
    method: 'POST',
    pattern: `${organization}/keys`,
    access: 'admin',
    stepUp: true,
    status: 201,
    body: ({ systemId }) => ({ name: 'Probe', kind: 'probe', system_id: systemId }),
    bodyNamesObject: true,
  },
  {
    method: 'POST',
    pattern: `${organization}/keys/:id/revoke`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: ({ key }) => key.token_id,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: `${organization}/keys/:id/expire`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: ({ key }) => key.token_id,
    body: () => ({ at: '2026-01-01T00:00:00.000+00:00' }),
  },
  {
    method: 'POST',
    pattern: `${organization}/keys/:id/rotate`,
    access: 'admin',
    stepUp: true,
    status: 201,
    id: ({ key }) => key.token_id,
    body: () => ({ overlap: '7d' }),
  },
];

export async function createDashboardFixture(service: SharedService): Promise<DashboardFixture> {
  const fixture = await createFixture(service);
  const { organizationId } = fixture;
  const [owner, admin, member] = await Promise.all([
    addPerson(service, organizationId, 'owner'),
    addPerson(service, organizationId, 'admin'),
    addPerson(service, organizationId, 'member'),
  ]);
  const { invitation } = await service.storage.people.transaction(transaction =>
    invite(transaction, {
      organizationId,
      email: 'invited@example.org',
      role: 'member',
      actor: { kind: 'person', id: owner.id },
    }),
  );
  const probeId = await addProbe(service, fixture);
  const ids = await addChannelAndView(service, organizationId, member);
  return { ...fixture, owner, admin, member, invitationId: invitation.id, probeId, ...ids };
}

async function addChannelAndView(service: SharedService, organizationId: string, member: TestPerson) {
  const { keyRing } = service.storage;
  const store = service.storage.tenant(organizationId, { kind: 'person', id: member.id });
  return store.transaction(async transaction => {
    const channel = await createChannel(transaction, keyRing, {
      ...{ name: 'Chat', format: 'slack', url: 'https://hooks.slack.example/services/T0/B0/secret' },
      ...{ kinds: ['new_findings'], severity: 'high', digest: 'none', time_zone: 'UTC' },
    });
    const view = await createFindingView(transaction, member.id, {
      name: 'Mine',
      filters: {},
      shared: false,
    });
    return { channelId: channel.id, viewId: view.id };
  });
}

async function addProbe(service: SharedService, { organizationId, systemId }: Fixture): Promise<string> {
  const store = service.storage.tenant(organizationId, { kind: 'service', id: 'test' });
  return store.transaction(async transaction => {
    const [probe] = await transaction.query<{ id: string }>({
      text: `insert into probes (system_id, name, version, instance, key_id, interval_seconds, started_at, reported_at,
          spool_events, spool_bytes, set_aside, silent_since)
        values ($1, 'office', '1.0.0', gen_random_uuid(), gen_random_uuid(), 60, now(), now(), 0, 0, 0, now()) returning id`,
      values: [systemId],
    });
    await transaction.query({
      text: `insert into inventory (system_id, kind, host, via, probe_id)
        values ($1, 'postgres', 'db.internal', 'listening_socket', $2)`,
      values: [systemId, probe!.id],
    });
    return probe!.id;
  });
}
