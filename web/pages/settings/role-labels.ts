import type { Role } from '../../../src/contract/dashboard/session.ts';

/** Each role, and what it adds to the one before. */
export const roleLabels: Record<Role, { readonly label: string; readonly description: string }> = {
  member: { label: 'Member', description: 'Can view posture, findings, controls and evidence.' },
  admin: {
    label: 'Admin',
    description:
      'Can also run scans, triage findings, create API keys, add evidence, and invite members and admins.',
  },
  owner: { label: 'Owner', description: 'Can also manage owners.' },
};
