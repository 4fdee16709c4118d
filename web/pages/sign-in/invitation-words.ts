import type { InvitationPreview, Role, Session } from '../../../src/contract/dashboard/session.ts';

/** Who invited whom, as what. */
export function invitationSentence(
  { invited_by, role }: Pick<InvitationPreview, 'invited_by' | 'role'>,
  whom: string,
): string {
  const article = /^[ao]/.test(role) ? 'an' : 'a';
  return `${invited_by ?? 'The operator of this service'} invited ${whom} to join as ${article} ${role}.`;
}

/** Owners and admins have a second factor before they are one. */
export function needsSecondFactor({ second_factors }: Session, role: Role): boolean {
  return role !== 'member' && !second_factors.totp && second_factors.passkeys === 0;
}
