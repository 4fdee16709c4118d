import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const authChecks = {
  unconfirmed: {
    id: 'supabase.sign_up_unconfirmed',
    title: 'Anybody can make an account without a confirmed address',
    severity: 'low',
    why: 'Accounts can be made in any number and in the name of other people, and each has the rights of a user who is logged in.',
    fix: {
      advice:
        'Dashboard: Authentication, Sign In / Providers, Email: turn “Confirm email” on (for phone numbers “Confirm phone”), or turn “Allow new users to sign up” off and invite users. Self-hosted: `ENABLE_EMAIL_AUTOCONFIRM=false`, `ENABLE_PHONE_AUTOCONFIRM=false`, or `DISABLE_SIGNUP=true` in `.env`. Policies must not take everybody who is `authenticated` for a trusted person.',
    },
    references: [
      'https://supabase.com/docs/guides/auth/general-configuration',
      'https://supabase.com/docs/guides/auth/passwords',
    ],
    safeguards: [
      lowers(
        safeguards.authentication,
        'Nobody checks that the address of a new account belongs to the person who gives it.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
