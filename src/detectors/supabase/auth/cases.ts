import type { SupabaseCapture } from '../../../captures/supabase.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, projectWith, seen } from '../hardened-capture.ts';

const check = 'supabase.sign_up_unconfirmed';

export const cases: readonly GoldenCase<SupabaseCapture>[] = [
  { name: 'open, with confirmation', capture: projectWith(), expected: [] },
  {
    name: 'open without confirmation',
    capture: projectWith({ sign_up: seen({ open: true, unconfirmed: ['email', 'phone'] }) }),
    expected: [
      { check, locator: 'email' },
      { check, locator: 'phone' },
    ],
  },
  {
    name: 'closed: accounts by invitation only',
    capture: projectWith({ sign_up: seen({ open: false, unconfirmed: ['email'] }) }),
    expected: [],
  },
  {
    name: 'the Auth API does not answer',
    capture: projectWith({ sign_up: notSeen() }),
    expected: [],
    notAssessed: [check],
  },
];
