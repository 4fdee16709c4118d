import { randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '../../src/contract/dashboard/session.ts';
import { csrfToken } from '../../src/dashboard/cross-site.ts';
import { hashPassword } from '../../src/dashboard/sign-in/passwords.ts';
import { createAccount } from '../../src/resources/people/accounts.ts';
import { completeSignIn } from '../../src/resources/people/held-session.ts';
import { addMember } from '../../src/resources/people/memberships.ts';
import { findSessions, insertSession } from '../../src/resources/people/sessions.ts';
import { beginTotp } from '../../src/resources/people/totp.ts';
import { DashboardClient } from './dashboard-client.ts';
import type { RunningNode } from './service.ts';

export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** base32; undefined without a second factor. */
  readonly totpSecret: string | undefined;
  /** Signed in. */
  readonly client: DashboardClient;
}

interface PersonOptions {
  /** Default: owners and admins have one. */
  readonly secondFactor?: boolean;
  /** Whether the session has stepped up, as after signing in. */
  readonly steppedUp?: boolean;
}

export const testPassword = 'lantern orbit cactus 71';
let passwordHash: Promise<string> | undefined;

/** A signed-in member of the organization, created without the dashboard. */
export async function addPerson(
  node: RunningNode,
  organizationId: string,
  role: Role,
  options: PersonOptions = {},
): Promise<TestPerson> {
  const { people, keyRing } = node.storage;
  const { secondFactor = role !== 'member', steppedUp = true } = options;
  const email = `${role}-${randomUUID()}@example.org`;
  passwordHash ??= hashPassword(testPassword);
  const hash = await passwordHash;
  const token = randomBytes(32).toString('base64url');
  const { id, totpSecret } = await people.transaction(async transaction => {
    const personId = (await createAccount(transaction, { email, name: `A ${role}`, passwordHash: hash }))!;
    await addMember(transaction, organizationId, personId, role);
    await insertSession(transaction, { personId, token, address: '127.0.0.1', userAgent: 'test' });
    if (!secondFactor) return { id: personId, totpSecret: undefined };
    const secret = await beginTotp(transaction, keyRing, personId);
    await transaction.query({
      text: 'update totp_factors set confirmed = true where person_id = $1',
      values: [personId],
    });
    return { id: personId, totpSecret: secret };
  });
  const [session] = await findSessions(people, [{ token, organizationId: null }]);
  if (secondFactor) await completeSignIn(people, { id: session!.id, token }, token);
  await people.query({
    text: 'update sessions set stepped_up_at = case when $2 then now() end where id = $1',
    values: [session!.id, steppedUp],
  });
  const client = new DashboardClient(node.url, {
    cookie: `parapet_session=${token}`,
    csrf: csrfToken(token),
  });
  return { id, email, password: testPassword, totpSecret, client };
}
