import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const writing = 'https://www.postgresql.org/docs/current/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY';

export const functionsChecks = {
  definerPublic: {
    id: 'postgres.security_definer_public',
    title: 'Everybody may call a function that runs as its owner',
    severity: 'medium',
    why: 'What the function does, it does with its owner’s rights: a flaw in it hands these to every role that can log in.',
    fix: {
      advice:
        'Revoke it and grant it to whom it is for: `revoke execute on function schema_name.function_name(integer) from public; grant execute on function schema_name.function_name(integer) to app;`. PUBLIC has it by default on each new function: `alter default privileges revoke execute on functions from public;` changes that. If the caller’s rights do, `alter function … security invoker;`.',
    },
    references: [writing, 'https://www.postgresql.org/docs/current/ddl-priv.html'],
    safeguards: [
      lowers(safeguards.accessControl, 'Every role can act with the rights of the function’s owner.'),
    ],
  },
  searchPath: {
    id: 'postgres.search_path_mutable',
    title: 'A function that runs as its owner searches where its caller says',
    severity: 'medium',
    why: 'A caller can put a table, function or operator of the same name in front of the one that is meant, and have it used with the owner’s rights.',
    fix: {
      advice:
        "Fix the search path: `alter function schema_name.function_name(integer) set search_path = pg_catalog, schema_name, pg_temp;` with pg_temp last and no schema in which others may create objects; or `set search_path = ''` with every name qualified in the text.",
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
