import { afterEach, expect, it, vi } from 'vitest';
import { lastOrganization, rememberOrganization } from './last-organization.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('returns the organization that was remembered last', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  expect(lastOrganization()).toBeNull();
  rememberOrganization('a');
  rememberOrganization('b');
  expect(lastOrganization()).toBe('b');
});

it('works in a browser that refuses to store anything', () => {
  vi.stubGlobal(
    'localStorage',
    new Proxy(
      {},
      {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      },
    ),
  );
  expect(() => rememberOrganization('a')).not.toThrow();
  expect(lastOrganization()).toBeNull();
});
