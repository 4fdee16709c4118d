import type { Assessment } from '../../captures/assessment.ts';
import type { AnonymousRead, SupabaseCapture } from '../../captures/supabase.ts';

/** The capture of a project for which no check fails; golden cases change one part. */

export const seen = <T>(value: T): Assessment<T> => ({ assessed: true, value });
export const notSeen = (reason = 'The project does not say.') => ({ assessed: false as const, reason });

/** The anonymous response for a table of the schema `public`. */
export const read = (
  table: string,
  rows: AnonymousRead['rows'],
  columns: readonly string[] = ['id'],
): AnonymousRead => ({ place: table, table, columns, rows });

const hardened: SupabaseCapture = {
  collected_at: '2026-11-21T12:00:00.000Z',
  tables: seen({
    list: [
      { schema: null, name: 'invoices', columns: ['id', 'email', 'total'] },
      { schema: null, name: 'news', columns: ['id', 'headline'] },
      { schema: null, name: 'patients', columns: ['id', 'full_name'] },
    ],
    truncated: false,
    schemas: seen(['public']),
  }),
  anonymous: seen([
    read('invoices', seen('none'), ['id', 'email', 'total']),
    read('news', seen('denied')),
    read('patients', seen('denied')),
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

/** A hardened project with some parts replaced. */
export function projectWith(parts: Partial<SupabaseCapture> = {}): SupabaseCapture {
  return { ...hardened, ...parts };
}
