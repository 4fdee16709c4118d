import { expect, it } from 'vitest';
import { runCauses, testErrors } from '../contract/causes.ts';
import { describeCause } from './scan-causes.ts';

it('has a sentence for every cause, also for one that names a property of all objects', () => {
  expect(describeCause('dns_failed')).toBe(
    'The host name could not be resolved. Check its spelling and its DNS records.',
  );
  for (const code of [...runCauses, ...testErrors]) expect(describeCause(code), code).toMatch(/^[A-Z].*\.$/s);
  expect(describeCause('auth_failed')).not.toContain('probe');
  expect(describeCause('auth_failed', 'probe')).toContain('configuration of the probe');
  expect(describeCause('timeout', 'probe')).toBe(describeCause('timeout'));
  expect(describeCause('constructor')).toBe('constructor');
  expect(describeCause('__proto__')).toBe('__proto__');
});
