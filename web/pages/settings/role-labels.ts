import type { Role } from '../../../src/contract/dashboard/session.ts';

/** Each role, and what it adds to the one before. */
export const roleLabels: Record<Role, { readonly label: string; readonly description: string }> = {
  member: { label: 'Member', description: 'Reads posture, findings, controls and evidence.' },
  admin: {
    label: 'Admin',
    description:
      'Also runs scans, triages findings, creates API keys, adds evidence, and invites members and admins.',
  },
  owner: { label: 'Owner', description: 'Also manages owners.' },
};
