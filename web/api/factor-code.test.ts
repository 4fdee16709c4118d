import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { asksForSecondFactor, factorCode } from './factor-code.ts';

it('takes six digits for a code of the authenticator app, spaces or not', () => {
  expect(factorCode(' 123 456 ')).toEqual({ type: 'totp', code: '123456' });
});

it.each(['12345', '1234567', 'abcd-efgh', '12345a'])('takes %s for a backup code', typed => {
  expect(factorCode(typed)).toEqual({ type: 'backup_code', code: typed });
});

it('asks for a second factor only where the service offers to skip the wait', () => {
  expect(asksForSecondFactor(new ApiError(429, { with_second_factor: true }))).toBe(true);
  expect(asksForSecondFactor(new ApiError(429, {}))).toBe(false);
  expect(asksForSecondFactor(new Error('other'))).toBe(false);
  expect(asksForSecondFactor(null)).toBe(false);
});
