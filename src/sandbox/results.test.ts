import { expect, it } from 'vitest';
import { isResultOf } from './results.ts';

it('rejects causes that surfaces do not return, including property names of objects', () => {
  const answers = (cause: string) => [
    isResultOf('inspect', { unreachable: cause }),
    isResultOf('test_connection', { ok: false, errorCode: cause, latencyMs: 1 }),
  ];
  expect(answers('dns_failed')).toEqual([true, true]);
  // The last two are reserved for the service.
  for (const cause of [
    'constructor',
    '__proto__',
    'toString',
    'all_is_well',
    'crashed',
    'domain_not_proven',
  ]) {
    expect([cause, answers(cause)]).toEqual([cause, [false, false]]);
  }
});
