import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { asksForSecondFactor, factorCode } from './factor-code.ts';

it('treats six digits as a code of an authenticator app, with or without spaces', () => {
  expect(factorCode(' 123 456 ')).toEqual({ type: 'totp', code: '123456' });
});

it.each(['12345', '1234567', 'abcd-efgh', '12345a'])('treats %s as a backup code', typed => {
  expect(factorCode(typed)).toEqual({ type: 'backup_code', code: typed });
});

it('requires a second factor only if the service offers to skip the wait', () => {
  expect(asksForSecondFactor(new ApiError(429, { with_second_factor: true }))).toBe(true);
  expect(asksForSecondFactor(new ApiError(429, {}))).toBe(false);
  expect(asksForSecondFactor(new Error('other'))).toBe(false);
  expect(asksForSecondFactor(null)).toBe(false);
});
