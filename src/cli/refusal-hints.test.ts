import { expect, it } from 'vitest';
import type { Answer } from './client.ts';
import { hintsFor401 } from './refusal-hints.ts';

function clockHint(clockAhead: number | undefined): string {
  return hintsFor401({ clockAhead } as Answer, 'svc_live_x')[1]!;
}

it('compares the clock with the window that the service allows', () => {
  expect(clockHint(0)).toContain('clock is correct');
  expect(clockHint(60)).toContain('60 s behind the server, within the allowed 300 s');
  expect(clockHint(412)).toContain('412 s behind the server, more than the allowed 300 s');
  expect(clockHint(-301)).toContain('301 s ahead of the server, more than the allowed 300 s');
  expect(clockHint(undefined)).toContain('could not be compared');
});

it('detects a value that is not a token, without repeating it', () => {
  const text = hintsFor401({ clockAhead: 0 } as Answer, 'svc_sign_secret').join('\n');
  expect(text).toContain('PARAPET_TOKEN does not start with');
  expect(text).not.toContain('svc_sign_secret');
});
