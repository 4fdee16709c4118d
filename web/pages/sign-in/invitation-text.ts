import type { InvitationPreview, Role, Session } from '../../../src/contract/dashboard/session.ts';

/** `Ada Berg invited you to join as an admin.` */
export function invitationText(
  { invited_by, role }: Pick<InvitationPreview, 'invited_by' | 'role'>,
  invitee: string,
): string {
  const article = /^[ao]/.test(role) ? 'an' : 'a';
  return `${invited_by ?? 'The operator of this service'} invited ${invitee} to join as ${article} ${role}.`;
}

/** Owners and admins set up a second factor before they join. */
export function needsSecondFactor({ second_factors }: Pick<Session, 'second_factors'>, role: Role): boolean {
  return role !== 'member' && !second_factors.totp && second_factors.passkeys === 0;
}
