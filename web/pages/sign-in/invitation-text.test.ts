import { expect, it } from 'vitest';
import { invitationText, needsSecondFactor } from './invitation-text.ts';

it('says who invited whom to which role', () => {
  expect(invitationText({ invited_by: 'Ada Berg', role: 'admin' }, 'you')).toBe(
    'Ada Berg invited you to join as an admin.',
  );
  expect(invitationText({ invited_by: null, role: 'member' }, 'ben@example.org')).toBe(
    'The operator of this service invited ben@example.org to join as a member.',
  );
});

it('requires a second factor of admins and owners who have none', () => {
  const none = { second_factors: { totp: false, passkeys: 0, backup_codes_left: 10 } };
  const passkey = { second_factors: { totp: false, passkeys: 1, backup_codes_left: 0 } };
  const app = { second_factors: { totp: true, passkeys: 0, backup_codes_left: 0 } };
  expect(needsSecondFactor(none, 'member')).toBe(false);
  expect(needsSecondFactor(none, 'admin')).toBe(true);
  expect(needsSecondFactor(none, 'owner')).toBe(true);
  expect(needsSecondFactor(passkey, 'owner')).toBe(false);
  expect(needsSecondFactor(app, 'owner')).toBe(false);
});
