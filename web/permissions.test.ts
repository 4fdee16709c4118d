import { expect, it } from 'vitest';
import { assignableRoles, canManage, canOperate } from './permissions.ts';

const roles = ['member', 'admin', 'owner'] as const;

it('lets admins and owners operate', () => {
  expect(roles.filter(canOperate)).toEqual(['admin', 'owner']);
});

it('lets owners manage everyone, admins everyone but owners, and members no one', () => {
  const managed = (own: (typeof roles)[number]) => roles.filter(other => canManage(own, other));
  expect(roles.map(managed)).toEqual([[], ['member', 'admin'], ['member', 'admin', 'owner']]);
});

it('offers no role above the person’s own', () => {
  expect(assignableRoles('admin')).toEqual(['member', 'admin']);
  expect(assignableRoles('owner')).toEqual(['member', 'admin', 'owner']);
});
