import type { Session } from '../contract/dashboard/session.ts';
import { countBackupCodes } from '../storage/people/backup-codes.ts';
import { organizationsOf } from '../storage/people/memberships.ts';
import { listPasskeys } from '../storage/people/passkeys.ts';
import type { OpenSession } from '../storage/people/sessions.ts';
import { totpSetUpAt } from '../storage/people/totp.ts';
import { csrfToken } from './cross-site.ts';
import type { DashboardServices } from './services.ts';

/** Where the browser with this token stands, as its pages need to know it. */
export async function describeSession(
  { storage, oidc }: DashboardServices,
  token: string | undefined,
): Promise<Session> {
  const { people, lookups } = storage;
  const session = token === undefined ? undefined : await lookups.findSession(token, null);
  const signedOut: Session = {
    state: 'signed_out',
    csrf_token: null,
    person: null,
    organizations: [],
    second_factors: { totp: false, passkeys: 0, backup_codes_left: 0 },
    stepped_up_until: null,
    oidc_provider: oidc?.name ?? null,
  };
  if (token === undefined || !session) return signedOut;
  const { personId } = session;
  const [organizations, totp, passkeys, backupCodes] = await Promise.all([
    organizationsOf(people, personId),
    totpSetUpAt(people, personId),
    listPasskeys(people, personId),
    countBackupCodes(people, personId),
  ]);
  const state = stateOf(session);
  return {
    ...signedOut,
    state,
    csrf_token: csrfToken(token),
    person: { id: personId, name: session.name, email: session.email, has_password: session.hasPassword },
    // Where somebody belongs is nothing that a password alone tells.
    organizations: state === 'second_factor' ? [] : organizations,
    second_factors: {
      totp: totp !== undefined,
      passkeys: passkeys.length,
      backup_codes_left: backupCodes,
    },
    stepped_up_until: session.steppedUpUntil,
  };
}

function stateOf(session: OpenSession): Session['state'] {
  if (session.secondFactorSetUp) return session.secondFactorGiven ? 'signed_in' : 'second_factor';
  return session.secondFactorAsked ? 'enrolment' : 'signed_in';
}
