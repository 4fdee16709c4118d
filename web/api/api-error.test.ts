import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';

const message = (status: number, body = {}) => new ApiError(status, body).message;

it('says what to do if the service was not reached or failed', () => {
  expect(message(0)).toBe("Can't reach the service. Check your connection, then try again.");
  expect(message(500, { error: 'Request failed' })).toBe(
    'The service ran into a problem. Try again in a moment.',
  );
});

it('has texts of its own for refusals without a code', () => {
  expect(message(401, { error: 'Unauthorized' })).toBe("You're signed out. Sign in again.");
  expect(message(403, { error: 'Forbidden' })).toBe("Your role doesn't allow this. Ask an owner or admin.");
  expect(message(404, { error: 'Not found', error_code: 'not_found' })).toMatch(/^This doesn't exist/);
  expect(message(413, { error: 'Payload too large', error_code: 'payload_too_large' })).toBe(
    'This is too large. Send less text or a smaller file.',
  );
});

it.each([400, 401, 403, 409, 429, 503])('shows the text of an error with a code (%i)', status => {
  expect(message(status, { error: 'Wait for it', error_code: 'too_busy' })).toBe('Wait for it.');
  expect(message(status, { error: 'Really?', error_code: 'too_busy' })).toBe('Really?');
});

it('shows other texts of the service, and the status without one', () => {
  expect(message(400, { error: 'Invalid body' })).toBe('Invalid body.');
  expect(message(429, { error: 'Slow down' })).toBe('Slow down.');
  expect(message(418)).toBe('The service responded with status 418. Try again.');
});

it('carries the fields, the wait and the id of the request', () => {
  const fields = [{ path: 'name', message: 'is required' }];
  const error = new ApiError(400, { error: 'x', fields, retry_after_seconds: 9 }, 'r-1');
  expect(error).toMatchObject({ status: 400, fields, retryAfter: 9, requestId: 'r-1' });
  expect(new ApiError(0, {}).fields).toEqual([]);
});
