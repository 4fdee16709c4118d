import { expect, it } from 'vitest';
import type { Answer } from './client.ts';
import { hintsFor401 } from './refusal-hints.ts';

function clockHint(clockAhead: number | undefined): string {
  return hintsFor401({ clockAhead } as Answer, 'svc_live_x')[1]!;
}

it('judges the clock against the window that the service allows', () => {
  expect(clockHint(0)).toContain('clock is fine');
  expect(clockHint(60)).toContain("60 s behind the server's, within the 300");
  expect(clockHint(412)).toContain("412 s behind the server's, more than the 300");
  expect(clockHint(-301)).toContain("301 s ahead of the server's, more than the 300");
  expect(clockHint(undefined)).toContain('cannot be compared');
});

it('notices a token that is none, without repeating it', () => {
  const text = hintsFor401({ clockAhead: 0 } as Answer, 'svc_sign_secret').join('\n');
  expect(text).toContain('PARAPET_TOKEN does not begin with');
  expect(text).not.toContain('svc_sign_secret');
});
