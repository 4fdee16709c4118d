import type { Role } from '../../../src/contract/dashboard/session.ts';

/** What each role may do, in words. */
export const roleTexts: Record<Role, { readonly label: string; readonly description: string }> = {
  member: { label: 'Member', description: 'Reads posture, findings, controls and evidence.' },
  admin: {
    label: 'Admin',
    description: 'Also scans, triages, mints keys, keeps evidence, and invites members and admins.',
  },
  owner: { label: 'Owner', description: 'Also manages owners.' },
};

/** The roles that somebody of this role may give. */
export const rolesToGive = (own: Role): readonly Role[] =>
  own === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin'];
