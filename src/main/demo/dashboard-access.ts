import { randomInt } from 'node:crypto';
import { hashPassword } from '../../dashboard/sign-in/passwords.ts';
import { createAccount } from '../../resources/people/accounts.ts';
import { invite } from '../../resources/people/invitations.ts';
import { addMember } from '../../resources/people/memberships.ts';
import { linkTo } from '../dashboard-links.ts';
import { operator } from '../operator.ts';
import type { Service } from '../service.ts';

/** A member account that can sign in at once, and an invitation for an owner, who sets up a second factor. */
export interface DashboardAccess {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly ownerLink: string;
}

const characters = 'abcdefghjkmnpqrstuvwxyz23456789';

export async function offerDashboard(
  { storage, url }: Service,
  organizationId: string,
): Promise<DashboardAccess> {
  const email = 'visitor@example.org';
  const password = Array.from({ length: 20 }, () => characters[randomInt(characters.length)]).join('');
  const passwordHash = await hashPassword(password);
  const token = await storage.people.transaction(async transaction => {
    const person = await createAccount(transaction, { email, name: 'Visitor', passwordHash });
    await addMember(transaction, organizationId, person!, 'member');
    const owner = { organizationId, email: 'owner@example.org', role: 'owner', actor: operator } as const;
    return (await invite(transaction, owner)).token;
  });
  const link = { publicUrl: undefined, publicPrefix: '', port: 0 };
  const ownerLink = linkTo('invitation', token, link, url);
  return { url: ownerLink.slice(0, ownerLink.indexOf('/invitation')), email, password, ownerLink };
}
