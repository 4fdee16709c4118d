import type { SupabaseEvidence } from '../../../evidence/supabase.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, projectWith, seen } from '../hardened-evidence.ts';

const check = 'supabase.sign_up_unconfirmed';

export const cases: readonly GoldenCase<SupabaseEvidence>[] = [
  { name: 'open, with confirmation', evidence: projectWith(), expected: [] },
  {
    name: 'open without confirmation',
    evidence: projectWith({ sign_up: seen({ open: true, unconfirmed: ['email', 'phone'] }) }),
    expected: [
      { check, locator: 'email' },
      { check, locator: 'phone' },
    ],
  },
  {
    name: 'closed: accounts come by invitation',
    evidence: projectWith({ sign_up: seen({ open: false, unconfirmed: ['email'] }) }),
    expected: [],
  },
  {
    name: 'the Auth API does not answer',
    evidence: projectWith({ sign_up: notSeen() }),
    expected: [],
    notAssessed: [check],
  },
];
