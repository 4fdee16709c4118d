import type { SupabaseCapture, SupabaseTableRights } from '../../../captures/supabase.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, projectWith, read, seen } from '../hardened-capture.ts';

const readable = 'supabase.table_readable_by_anon';
const writable = 'supabase.table_writable_by_anon';
const sees = (table: string, ...columns: string[]) => ({
  anonymous: seen([read(table, seen('visible'), columns)]),
});
const rights = (changes: Partial<SupabaseTableRights>) => ({
  rights: seen([
    {
      schema: 'public',
      name: 'orders',
      row_security: true,
      // Supabase's default grants on new tables.
      granted: ['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE'],
      policies: [],
      ...changes,
    },
  ]),
});
const policy = (command: string, using: string | null, check: string | null, permissive = true) => ({
  command,
  using,
  check,
  permissive,
});
const own = '(( SELECT auth.uid() AS uid) = user_id)';

export const cases: readonly GoldenCase<SupabaseCapture>[] = [
  { name: 'hardened project', capture: projectWith(), expected: [] },
  {
    name: 'rows readable by anonymous users',
    capture: projectWith(sees('news')),
    expected: [{ check: readable, locator: 'news' }],
  },
  {
    name: 'personal data readable by anonymous users',
    capture: projectWith(sees('patients')),
    expected: [{ check: readable, locator: 'patients' }],
  },
  {
    name: 'a column with addresses',
    capture: projectWith(sees('invoices', 'id', 'email')),
    expected: [{ check: readable, locator: 'invoices' }],
  },
  {
    name: 'an unknown anonymous key',
    capture: projectWith({ anonymous: notSeen('The anonymous key is not known.') }),
    expected: [],
    notAssessed: [readable],
  },
  {
    name: 'unknown tables',
    capture: projectWith({ tables: notSeen(), anonymous: notSeen() }),
    expected: [],
    notAssessed: [readable],
  },
  {
    name: 'one table without a response, another open',
    capture: projectWith({
      anonymous: seen([
        read('news', seen('visible')),
        read('patients', notSeen('The REST API answered 500 without saying whether there are rows.')),
      ]),
    }),
    expected: [readable],
    notAssessed: [readable],
  },
  {
    name: 'more tables than the scan requests',
    capture: projectWith({
      tables: seen({ list: [], truncated: true, schemas: seen(['public']) }),
      anonymous: seen([]),
    }),
    expected: [],
    notAssessed: [readable],
  },
  {
    name: 'unknown schemas of the API',
    capture: projectWith({ tables: seen({ list: [], truncated: false, schemas: notSeen() }) }),
    expected: [],
    notAssessed: [readable, writable],
  },
  {
    name: 'a table with the same name in another schema',
    capture: projectWith({ anonymous: seen([{ ...read('news', seen('visible')), place: 'api.news' }]) }),
    expected: [{ check: readable, locator: 'api.news' }],
  },
  {
    name: 'a table with all grants and without row security',
    capture: projectWith(rights({ row_security: false })),
    expected: [{ check: writable, locator: 'public.orders' }],
  },
  {
    name: 'a table without row security and with read grants only',
    capture: projectWith(rights({ row_security: false, granted: ['SELECT'] })),
    expected: [],
  },
  { name: 'the default: row security on and no policy', capture: projectWith(rights({})), expected: [] },
  {
    name: 'policies that require an owner',
    capture: projectWith(rights({ policies: [policy('ALL', own, own), policy('SELECT', 'true', null)] })),
    expected: [],
  },
  {
    name: 'a policy that is always true',
    capture: projectWith(rights({ policies: [policy('ALL', 'true', null)] })),
    expected: [{ check: writable, locator: 'public.orders' }],
  },
  {
    name: 'anonymous users can delete',
    capture: projectWith(rights({ policies: [policy('DELETE', 'true', null)] })),
    expected: [writable],
  },
  {
    name: 'anonymous users can update any row to their own',
    capture: projectWith(rights({ policies: [policy('UPDATE', 'true', own)] })),
    expected: [],
  },
  {
    name: 'a contact form',
    capture: projectWith(rights({ policies: [policy('INSERT', null, 'true')] })),
    expected: [{ check: writable, locator: 'public.orders' }],
  },
  {
    name: 'a restrictive policy in addition',
    capture: projectWith(
      rights({ policies: [policy('ALL', 'true', null), policy('ALL', own, null, false)] }),
    ),
    expected: [],
  },
  {
    name: 'unknown grants and policies',
    capture: projectWith({ rights: notSeen() }),
    expected: [],
    notAssessed: [writable],
  },
];
