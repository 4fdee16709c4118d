import type { Role } from '../src/contract/dashboard/session.ts';

/** Admins and owners operate; members read. The service enforces this; the pages hide what it would refuse. */
export const canOperate = (role: Role): boolean => role !== 'member';

/** Owners manage everyone, admins everyone but owners. */
export const canManage = (own: Role, other: Role): boolean =>
  own === 'owner' || (own === 'admin' && other !== 'owner');

/** The roles that a person may give to others. */
export const assignableRoles = (own: Role): readonly Role[] =>
  (['member', 'admin', 'owner'] as const).filter(role => canManage(own, role));
