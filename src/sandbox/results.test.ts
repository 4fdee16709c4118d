import { expect, it } from 'vitest';
import { isResultOf } from './results.ts';

it('takes no cause that no surface gives, however it is looked up later', () => {
  const answers = (cause: string) => [
    isResultOf('inspect', { unreachable: cause }),
    isResultOf('test_connection', { ok: false, errorCode: cause, latencyMs: 1 }),
  ];
  expect(answers('dns_failed')).toEqual([true, true]);
  // The last ones are the service's own to give.
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
