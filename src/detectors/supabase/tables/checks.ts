import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const strangers = lowers(
  safeguards.accessControl,
  'Anyone with the public key, who was never granted access, can reach the table.',
);

const references = [
  'https://supabase.com/docs/guides/database/postgres/row-level-security',
  'https://supabase.com/docs/guides/api/securing-your-api',
];

export const tablesChecks = {
  readable: {
    id: 'supabase.table_readable_by_anon',
    title: 'Strangers can read rows of a table',
    severity: 'high',
    why: 'The anonymous key is in every page of the application, so that whoever looks for it can download all rows that its role may see.',
    fix: {
      advice:
        'Turn row security on: `ALTER TABLE public.name ENABLE ROW LEVEL SECURITY;` and write a policy for those who should see rows, such as `CREATE POLICY own_rows ON public.name FOR SELECT TO authenticated USING ((SELECT auth.uid()) = user_id);`. Views: `ALTER VIEW public.name SET (security_invoker = on);`. Where strangers need no table at all: `REVOKE ALL ON public.name FROM anon;`. Content that is meant for everybody can be accepted as it is.',
    },
    references,
    safeguards: [
      strangers,
      lowers(
        safeguards.usesAndDisclosures,
        'If the table holds health information, it is disclosed to anyone who asks.',
      ),
    ],
  },
  writable: {
    id: 'supabase.table_writable_by_anon',
    title: 'Strangers can write to a table',
    severity: 'critical',
    why: 'Whoever takes the anonymous key from a page can add, change or delete rows without an account.',
    fix: {
      advice:
        'Turn row security on: `ALTER TABLE public.name ENABLE ROW LEVEL SECURITY;`, take the rights that strangers do not need: `REVOKE INSERT, UPDATE, DELETE ON public.name FROM anon;`, and replace policies whose condition is `true` by one that names an owner: `CREATE POLICY own_rows ON public.name FOR UPDATE TO authenticated USING ((SELECT auth.uid()) = user_id) WITH CHECK ((SELECT auth.uid()) = user_id);`. Forms for strangers belong behind an Edge Function that limits and checks what comes in.',
    },
    references,
    safeguards: [strangers, lowers(safeguards.integrity, 'Anyone can alter or delete the table’s rows.')],
  },
} as const satisfies Record<string, Check>;
