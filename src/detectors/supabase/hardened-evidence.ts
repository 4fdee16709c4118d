import type { Assessment } from '../../evidence/assessment.ts';
import type { SupabaseEvidence } from '../../evidence/supabase.ts';

/** The evidence of a project on which no check has anything to say: golden cases change one part of it. */

export const seen = <T>(value: T): Assessment<T> => ({ assessed: true, value });
export const notSeen = (reason = 'The project does not say.') => ({ assessed: false as const, reason });

const hardened: SupabaseEvidence = {
  collected_at: '2026-11-21T12:00:00.000Z',
  tables: seen({
    list: [
      { name: 'invoices', columns: ['id', 'email', 'total'] },
      { name: 'news', columns: ['id', 'headline'] },
      { name: 'patients', columns: ['id', 'full_name'] },
    ],
    truncated: false,
  }),
  anonymous: seen([
    { table: 'invoices', rows: seen('none' as const) },
    { table: 'news', rows: seen('denied' as const) },
    { table: 'patients', rows: seen('denied' as const) },
  ]),
  rights: seen([
    {
      schema: 'public',
      name: 'invoices',
      row_security: true,
      granted: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
      policies: [],
    },
    { schema: 'public', name: 'news', row_security: false, granted: ['SELECT'], policies: [] },
  ]),
  buckets: seen([{ name: 'reports', public: false, allowed_mime_types: null }]),
  sign_up: seen({ open: true, unconfirmed: [] }),
};

/** A hardened project with other parts. */
export function projectWith(parts: Partial<SupabaseEvidence> = {}): SupabaseEvidence {
  return { ...hardened, ...parts };
}
