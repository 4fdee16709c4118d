import type { FastifyRequest } from 'fastify';
import type { Session, StepUpWay } from '../../contract/dashboard/session.ts';
import { countBackupCodes } from '../../resources/people/backup-codes.ts';
import { openInvitationsFor } from '../../resources/people/invitations.ts';
import { organizationsOf } from '../../resources/people/memberships.ts';
import { listPasskeys } from '../../resources/people/passkeys.ts';
import type { OpenSession } from '../../resources/people/sessions.ts';
import { totpSetUpAt } from '../../resources/people/totp.ts';
import { csrfToken } from '../cross-site.ts';
import type { DashboardServices } from '../services.ts';

/** State of the session with this token, for the pages. */
export async function describeSession(
  { people }: Pick<FastifyRequest, 'people'>,
  { storage, oidc }: DashboardServices,
  token: string | undefined,
): Promise<Session> {
  const { lookups } = storage;
  const session = token === undefined ? undefined : await lookups.findSession(token, null);
  const signedOut: Session = {
    state: 'signed_out',
    csrf_token: null,
    person: null,
    organizations: [],
    second_factors: { totp: false, passkeys: 0, backup_codes_left: 0 },
    invitations: [],
    stepped_up_until: null,
    step_up_ways: [],
    oidc_provider: oidc?.name ?? null,
  };
  if (token === undefined || !session) return signedOut;
  const { personId } = session;
  const state = stateOf(session);
  // A password alone must not reveal memberships.
  const inside = state !== 'second_factor';
  const [organizations, invitations, totp, passkeys, backupCodes] = await Promise.all([
    inside ? organizationsOf(people, personId) : [],
    inside && session.emailVerified ? openInvitationsFor(people, session.email) : [],
    totpSetUpAt(people, personId),
    listPasskeys(people, personId),
    countBackupCodes(people, personId),
  ]);
  return {
    ...signedOut,
    state,
    csrf_token: csrfToken(token),
    person: {
      id: personId,
      name: session.name,
      email: session.email,
      has_password: session.hasPassword,
      email_verified: session.emailVerified,
    },
    organizations,
    invitations,
    second_factors: {
      totp: totp !== undefined,
      passkeys: passkeys.length,
      backup_codes_left: backupCodes,
    },
    stepped_up_until: session.steppedUpUntil,
    step_up_ways: stepUpWays(session, oidc !== undefined),
  };
}

/** The strongest methods that the person has: second factors, otherwise the password, otherwise the provider. */
export function stepUpWays(session: OpenSession, hasProvider: boolean): StepUpWay[] {
  if (session.secondFactorSetUp) return ['second_factor'];
  if (session.hasPassword) return ['password'];
  return session.hasIdentity && hasProvider ? ['provider'] : [];
}

/** Progress of the sign-in. */
export function stateOf(session: OpenSession): Session['state'] {
  if (session.secondFactorSetUp) return session.secondFactorGiven ? 'signed_in' : 'second_factor';
  return session.secondFactorAsked ? 'enrolment' : 'signed_in';
}
