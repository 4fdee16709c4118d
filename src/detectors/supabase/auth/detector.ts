import type { SupabaseCapture } from '../../../captures/supabase.ts';
import { detecting } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { authChecks as checks } from './checks.ts';

const things = { email: 'email address', phone: 'phone number' } as const;

/** Settings of sign-up. */
export const supabaseAuthDetector: Detector<SupabaseCapture> = {
  name: 'supabase.auth',
  surface: 'supabase',
  checks: Object.values(checks),
  detect: detecting((found, { sign_up }) => {
    if (!sign_up.assessed) {
      found.cannotAssess(Object.values(checks), sign_up.reason);
    } else if (sign_up.value.open) {
      for (const way of sign_up.value.unconfirmed) {
        const seen = `Sign-up is open, and every ${things[way]} counts as confirmed without a confirmation message.`;
        found.observe(checks.unconfirmed, way, seen);
      }
    }
  }),
};
