import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, listed, nothingRead } from '../hardened-capture.ts';

const extension = (name: string, installed: string, available: string | null) =>
  captureWith({ extensions: listed({ name, schema: 'extensions', installed, available }) });
const mapping = (has_password: boolean | null) =>
  captureWith({ user_mappings: listed({ server: 'billing', role: 'app', has_password }) });

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'an untrusted language',
    capture: captureWith({ untrusted_languages: listed('plpython3u') }),
    expected: [{ check: 'postgres.untrusted_language', locator: 'language plpython3u' }],
  },
  {
    name: 'an extension from before the upgrade',
    capture: extension('pg_stat_statements', '1.9', '1.10'),
    expected: [{ check: 'postgres.extension_outdated', locator: 'extension pg_stat_statements' }],
  },
  { name: 'an extension without its files', capture: extension('postgis', '3.3.2', null), expected: [] },
  {
    name: 'a common extension',
    capture: extension('postgres_fdw', '1.1', '1.1'),
    expected: [],
  },
  {
    name: 'an extension that opens connections',
    capture: extension('dblink', '1.2', '1.2'),
    expected: [{ check: 'postgres.extension_risky', locator: 'extension dblink' }],
  },
  {
    name: 'a stored password',
    capture: mapping(true),
    expected: [{ check: 'postgres.foreign_server_password', locator: 'foreign server billing for app' }],
  },
  { name: 'a mapping without password', capture: mapping(false), expected: [] },
  {
    name: 'a mapping that cannot be seen',
    capture: mapping(null),
    expected: [],
    notAssessed: ['postgres.foreign_server_password'],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: [
      'postgres.untrusted_language',
      'postgres.extension_outdated',
      'postgres.extension_risky',
      'postgres.foreign_server_password',
    ],
  },
];
