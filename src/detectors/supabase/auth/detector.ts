import type { SupabaseCapture } from '../../../captures/supabase.ts';
import { DetectionBuilder } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { authChecks as checks } from './checks.ts';

const things = { email: 'email address', phone: 'phone number' } as const;

/** Settings of sign-up. */
export const supabaseAuthDetector: Detector<SupabaseCapture> = {
  name: 'supabase.auth',
  surface: 'supabase',
  checks: Object.values(checks),
  detect({ sign_up }) {
    const found = new DetectionBuilder();
    if (!sign_up.assessed) {
      found.cannotAssess(Object.values(checks), sign_up.reason);
    } else if (sign_up.value.open) {
      for (const way of sign_up.value.unconfirmed) {
        const seen = `Sign-up is open, and every ${things[way]} counts as confirmed without a confirmation message.`;
        found.observe(checks.unconfirmed, way, seen);
      }
    }
    return found.result();
  },
};
