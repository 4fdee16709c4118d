import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, sql } from '../fix.ts';

const writing = docs('sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY');
const placeholder = { 'public.close_visit(integer)': 'the function with its argument types' };

export const functionsChecks = {
  definerPublic: {
    id: 'postgres.security_definer_public',
    title: 'Everyone can call a SECURITY DEFINER function',
    severity: 'medium',
    why: 'The function runs with its owner’s rights: a flaw in it hands those rights to every role that can sign in.',
    fix: {
      advice:
        'Revoke EXECUTE from PUBLIC and grant it to the roles that need it. PUBLIC gets it by default on every new function: `ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;` changes that. If the caller’s rights are enough, use SECURITY INVOKER.',
      steps: [
        sql(
          'REVOKE EXECUTE ON FUNCTION public.close_visit(integer) FROM PUBLIC;\nGRANT EXECUTE ON FUNCTION public.close_visit(integer) TO app;',
          { replace: { ...placeholder, app: 'the role that calls it' } },
        ),
      ],
    },
    references: [writing, docs('ddl-priv.html')],
    safeguards: [
      lowers(safeguards.accessControl, 'Every role can act with the rights of the function’s owner.'),
    ],
  },
  searchPath: {
    id: 'postgres.search_path_mutable',
    title: 'A SECURITY DEFINER function uses its caller’s search_path',
    severity: 'medium',
    why: 'A caller can shadow a table, function or operator that the function uses, and the shadow runs with the owner’s rights.',
    fix: {
      advice:
        'Fix the search path on the function, with `pg_temp` last and no schema in which others can create objects. An empty path is safest if every name in the body is qualified.',
      steps: [
        sql('ALTER FUNCTION public.close_visit(integer)\n  SET search_path = pg_catalog, public, pg_temp;', {
          replace: { ...placeholder, public: 'the schema of the tables it uses' },
        }),
      ],
    },
    references: [writing, 'https://wiki.postgresql.org/wiki/A_Guide_to_CVE-2018-1058'],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'A caller can make the function run code with the rights of its owner.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
