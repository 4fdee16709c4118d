import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const strangers = lowers(
  safeguards.accessControl,
  'Anyone with the public key can access the table without having been granted access.',
);

const placeholders = { 'public.visits': 'the table', user_id: 'the column with the row’s owner' };

const references = [
  'https://supabase.com/docs/guides/database/postgres/row-level-security',
  'https://supabase.com/docs/guides/api/securing-your-api',
];

export const tablesChecks = {
  readable: {
    id: 'supabase.table_readable_by_anon',
    title: 'Anonymous users can read a table',
    severity: 'high',
    why: 'The anonymous key is part of every page of the application, so anyone can download all rows that its role can see.',
    fix: {
      advice:
        'Enable row security and add a policy for the users who may see rows. For a view, use `ALTER VIEW public.visits SET (security_invoker = on);`. If anonymous users do not need the table, revoke it: `REVOKE ALL ON public.visits FROM anon;`. If the content is meant for everyone, accept this finding.',
      steps: [
        {
          place: 'supabase.sql',
          code: 'ALTER TABLE public.visits ENABLE ROW LEVEL SECURITY;\nCREATE POLICY own_rows ON public.visits FOR SELECT TO authenticated\n  USING (user_id = (SELECT auth.uid()));',
          replace: placeholders,
        },
      ],
    },
    references,
    safeguards: [
      strangers,
      lowers(
        safeguards.usesAndDisclosures,
        'If the table contains health information, anyone can obtain it.',
      ),
    ],
  },
  writable: {
    id: 'supabase.table_writable_by_anon',
    title: 'Anonymous users can write to a table',
    severity: 'critical',
    why: 'Anyone who copies the anonymous key from a page can add, change or delete rows without an account.',
    fix: {
      advice:
        'Enable row security, revoke what anonymous users do not need, and replace policies with the condition `true` by one that names the owner. Put public forms behind an Edge Function that limits and validates input.',
      steps: [
        {
          place: 'supabase.sql',
          code: 'ALTER TABLE public.visits ENABLE ROW LEVEL SECURITY;\nREVOKE INSERT, UPDATE, DELETE ON public.visits FROM anon;\nCREATE POLICY own_rows ON public.visits FOR UPDATE TO authenticated\n  USING (user_id = (SELECT auth.uid()))\n  WITH CHECK (user_id = (SELECT auth.uid()));',
          replace: placeholders,
        },
      ],
    },
    references,
    safeguards: [strangers, lowers(safeguards.integrity, 'Anyone can alter or delete the table’s rows.')],
  },
} as const satisfies Record<string, Check>;
