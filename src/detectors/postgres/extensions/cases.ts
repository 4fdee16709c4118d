import type { PostgresEvidence } from '../../../evidence/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { evidenceWith, listed, nothingRead } from '../hardened-evidence.ts';

const extension = (name: string, installed: string, available: string | null) =>
  evidenceWith({ extensions: listed({ name, installed, available }) });
const mapping = (has_password: boolean | null) =>
  evidenceWith({ user_mappings: listed({ server: 'billing', role: 'app', has_password }) });

export const cases: readonly GoldenCase<PostgresEvidence>[] = [
  { name: 'hardened server', evidence: evidenceWith(), expected: [] },
  {
    name: 'an untrusted language',
    evidence: evidenceWith({ untrusted_languages: listed('plpython3u') }),
    expected: [{ check: 'postgres.untrusted_language', locator: 'language plpython3u' }],
  },
  {
    name: 'an extension of before the upgrade',
    evidence: extension('pg_stat_statements', '1.9', '1.10'),
    expected: [{ check: 'postgres.extension_outdated', locator: 'extension pg_stat_statements' }],
  },
  { name: 'an extension whose files are gone', evidence: extension('postgis', '3.3.2', null), expected: [] },
  {
    name: 'an extension that everybody uses',
    evidence: extension('postgres_fdw', '1.1', '1.1'),
    expected: [],
  },
  {
    name: 'an extension that reaches out',
    evidence: extension('dblink', '1.2', '1.2'),
    expected: [{ check: 'postgres.extension_risky', locator: 'extension dblink' }],
  },
  {
    name: 'a stored password',
    evidence: mapping(true),
    expected: [{ check: 'postgres.foreign_server_password', locator: 'foreign server billing for app' }],
  },
  { name: 'a mapping without password', evidence: mapping(false), expected: [] },
  {
    name: 'a mapping that cannot be seen',
    evidence: mapping(null),
    expected: [],
    notAssessed: ['postgres.foreign_server_password'],
  },
  {
    name: 'nothing could be read',
    evidence: nothingRead,
    expected: [],
    notAssessed: [
      'postgres.untrusted_language',
      'postgres.extension_outdated',
      'postgres.extension_risky',
      'postgres.foreign_server_password',
    ],
  },
];
