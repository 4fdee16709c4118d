import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { fieldError, fieldProblem, formMessage } from './error-messages.ts';

const error = new ApiError(400, {
  fields: [
    { path: 'allowed_addresses.1', message: 'must be an address' },
    { path: 'name', message: 'is required' },
  ],
});

it('finds the message of a field, or of one of its entries', () => {
  expect(fieldProblem(error, 'name')).toBe('is required');
  expect(fieldError(error, 'name')).toBe('Is required');
  expect(fieldError(error, 'allowed_addresses')).toBe('Must be an address');
});

it('does not confuse fields whose names start alike', () => {
  expect(fieldError(error, 'allowed')).toBeUndefined();
  expect(fieldError(error, 'names')).toBeUndefined();
  expect(fieldError(new Error('other'), 'name')).toBeUndefined();
  expect(fieldError(null, 'name')).toBeUndefined();
});

it('shows what no field shows, and when to try again', () => {
  expect(formMessage(error)).toBeUndefined();
  expect(formMessage(new ApiError(400, { error: 'No', error_code: 'too_busy' }))).toBe('No.');
  const wait = { error: 'Too many attempts', error_code: 'too_many_attempts', retry_after_seconds: 540 };
  expect(formMessage(new ApiError(429, wait))).toBe('Too many attempts. Try again in 9 minutes.');
  const whole = { error: 'No', error_code: 'too_busy', fields: [{ path: '', message: 'is empty' }] };
  expect(formMessage(new ApiError(400, whole))).toBe('No.');
});

it('shows the message of any other error', () => {
  expect(formMessage(new Error('No passkey was used.'))).toBe('No passkey was used.');
  expect(formMessage(null)).toBeUndefined();
  expect(formMessage(undefined)).toBeUndefined();
});
