import { expect, it } from 'vitest';
import { describeCause } from './scan-causes.ts';

it('has a sentence for every cause, also for one that names a property of all objects', () => {
  expect(describeCause('dns_failed')).toBe(
    'The host name could not be resolved. Check how it is spelled, and its DNS records.',
  );
  expect(describeCause('constructor')).toBe('Constructor.');
  expect(describeCause('__proto__')).toBe('_ proto  .');
});
