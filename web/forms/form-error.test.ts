import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { fieldError } from './form-error.tsx';

const error = new ApiError(400, {
  fields: [
    { path: 'allowed_addresses.1', message: 'must be an address' },
    { path: 'name', message: 'is required' },
  ],
});

it('finds the message of a field, or of one of its entries', () => {
  expect(fieldError(error, 'name')).toBe('is required');
  expect(fieldError(error, 'allowed_addresses')).toBe('must be an address');
});

it('takes no field for another whose name starts alike', () => {
  expect(fieldError(error, 'allowed')).toBeUndefined();
  expect(fieldError(error, 'names')).toBeUndefined();
  expect(fieldError(new Error('other'), 'name')).toBeUndefined();
  expect(fieldError(null, 'name')).toBeUndefined();
});
