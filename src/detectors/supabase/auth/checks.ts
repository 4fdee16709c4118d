import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const authChecks = {
  unconfirmed: {
    id: 'supabase.sign_up_unconfirmed',
    title: 'Anyone can sign up without confirming an address',
    severity: 'low',
    why: 'Anyone can create any number of accounts, also in other people’s names, and each has the rights of a signed-in user.',
    fix: {
      advice:
        'In the dashboard, under Authentication, Sign In / Providers, turn on “Confirm email” (“Confirm phone” for phone numbers), or turn off “Allow new users to sign up” and invite users. Do not write policies that treat everyone who is `authenticated` as trusted.',
      steps: [
        {
          place: 'supabase.env',
          code: 'ENABLE_EMAIL_AUTOCONFIRM=false\nENABLE_PHONE_AUTOCONFIRM=false',
          note: '`DISABLE_SIGNUP=true` turns sign-up off altogether.',
        },
      ],
    },
    references: [
      'https://supabase.com/docs/guides/auth/general-configuration',
      'https://supabase.com/docs/guides/auth/passwords',
    ],
    safeguards: [
      lowers(
        safeguards.authentication,
        'There is no check that the address of a new account belongs to the person who enters it.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
