import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { databaseSubject } from '../database-subject.ts';
import { isOfProvider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { extensionsChecks as checks } from './checks.ts';

/** Risky extensions and what they can do. Untrusted languages have a separate check. */
const risky: ReadonlyMap<string, string> = new Map([
  ['adminpack', 'writes and removes files of the server'],
  ['dblink', 'opens connections to any server from this one'],
  ['file_fdw', 'reads files and runs programs of the server'],
  ['http', 'sends requests from the server’s network'],
  ['pg_surgery', 'changes stored rows without checking constraints'],
  ['pgsql_http', 'sends requests from the server’s network'],
  ['plsh', 'runs shell commands'],
]);

/** Extensions, languages, and stored passwords of foreign servers. */
export const postgresExtensionsDetector: Detector<PostgresCapture> = {
  name: 'postgres.extensions',
  surface: 'postgres',
  checks: Object.values(checks),
  perSubject: databaseSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const languages = rowsOf(found, [checks.untrustedLanguage], capture.untrusted_languages);
    observeEach(
      found,
      checks.untrustedLanguage,
      languages.map(name => ({
        locator: `language ${name}`,
        seen: `The untrusted language ${quoted(name, 80)} is installed.`,
      })),
    );
    const extensions = rowsOf(found, [checks.outdated, checks.risky], capture.extensions);
    observeEach(
      found,
      checks.outdated,
      extensions
        .filter(({ installed, available }) => available !== null && available !== installed)
        .map(({ name, installed, available }) => ({
          locator: `extension ${name}`,
          seen: `The extension ${quoted(name, 80)} is ${quoted(installed, 40)} here, and the server has ${quoted(available ?? '', 40)}.`,
        })),
    );
    observeEach(
      found,
      checks.risky,
      extensions
        .filter(({ name }) => risky.has(name))
        .map(({ name }) => ({
          locator: `extension ${name}`,
          seen: `The extension ${name} ${risky.get(name)}.`,
        })),
    );
    detectForeignPasswords(found, capture);
  }),
};

function detectForeignPasswords(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.foreignPassword;
  const provider = providerOf(capture);
  const mappings = rowsOf(found, [check], capture.user_mappings).filter(
    ({ role }) => !isOfProvider(provider, role),
  );
  if (mappings.some(({ has_password }) => has_password === null)) {
    found.cannotAssess(
      [check],
      'Reading the options of a user mapping needs ownership of its foreign server, or a superuser.',
    );
  }
  observeEach(
    found,
    check,
    mappings
      .filter(({ has_password }) => has_password === true)
      .map(({ server, role }) => ({
        locator: `foreign server ${server} for ${role}`,
        seen: `The user mapping of ${quoted(role, 80)} for the foreign server ${quoted(server, 80)} has a password.`,
      })),
  );
}
