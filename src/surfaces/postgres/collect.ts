import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type {
  Listed,
  PostgresCapture,
  PostgresOverride,
  PostgresServer,
  PostgresSetting,
} from '../../captures/postgres.ts';
import {
  type ConnectionTestOptions,
  overOf,
  withinBudget,
  withServer,
} from '../connection/connection-test.ts';
import { postgresForm } from '../connection/dsn.ts';
import { postgresErrorCode, refusalOf } from './failure.ts';
import {
  hbaFile,
  hbaRules,
  identMappings,
  memberships,
  passwordKinds,
  plaintextSessions,
  roles,
  schemas,
} from './queries/access.ts';
import { grants, rowSecurityHashes } from './queries/hashes.ts';
import { definerFunctions, extensions, untrustedLanguages, userMappings } from './queries/objects.ts';
import { maxRows, type PostgresQuery, statement } from './queries/query.ts';
import {
  databases,
  mutableFunctions,
  parameterPrivileges,
  privilegedFunctions,
  specialObjects,
} from './queries/rights.ts';
import { columns, policies, relations } from './queries/row-security.ts';
import {
  archiver,
  checksumFailures,
  hiddenSettings,
  overrides,
  server,
  settingNames,
  settings,
} from './queries/server.ts';
import { Row } from './read-row.ts';
import * as read from './read-rows.ts';
import { type Ask, askPostgres } from './session.ts';

/** Bytes of all answers together: more than all lists that are as long as a query allows. */
export const maxReceived = 16 * 1024 * 1024;
const defaultBudgetMs = 30_000;
/** After this time no other list is read: one that takes 5 seconds, and logging in, still fit in the budget. */
const listsMs = 20_000;
const tooSlow = 'The server took longer than 20 seconds for other parts.';

/**
 * Collects what the PostgreSQL detectors read, in one read-only transaction: 27 queries to the catalogs, 5 seconds
 * each, 30 seconds and 16 MB in total.
 *
 * @param host as stored on the source
 * @throws ConnectionFailed if the guard refuses the host, or the server cannot be reached, refuses the credential or
 * answers nonsense
 * @throws the signal's reason if aborted
 */
export async function collectPostgres(host: string, options: ConnectionTestOptions<'dsn'>) {
  return withinBudget(options, defaultBudgetMs, postgresErrorCode, signal =>
    withServer(host, postgresForm, options, signal, reached => {
      const over = overOf(reached.socket);
      return askPostgres(reached, signal, ask => readAll(ask, over), maxReceived);
    }),
  );
}

/**
 * Sends every query in an open read-only transaction. What the server refuses is not assessed, with the missing
 * privilege as the reason; any other error ends the collection.
 *
 * @param ask sends one statement and returns its rows; rejects with the server's error, with the SQLSTATE in `code`
 */
export async function readAll(ask: Ask, over: PostgresCapture['over']): Promise<PostgresCapture> {
  const collected_at = new Date().toISOString();
  const rights = await readServer(ask);
  const startedAt = performance.now();
  const list = async <T>(query: PostgresQuery, readRow: (row: Row) => T) =>
    performance.now() - startedAt > listsMs ? notAssessed(tooSlow) : readList(ask, query, readRow);
  const owned = complete(await list(overrides, read.readOverride));
  const ofServer = {
    settings: await readSettings(list, rights, owned),
    overrides: owned,
    hba_rules: await list(hbaRules, read.readHbaRule),
    hba_changed: ageOf(first(await list(hbaFile, read.readHbaFile))),
    plaintext_sessions: rights.readsAllStats
      ? await list(plaintextSessions, read.readPlaintextSession)
      : lacking(plaintextSessions),
    roles: await list(roles, read.readRole),
    memberships: await list(memberships, read.readMembership),
    ident_mappings: await list(identMappings, read.readIdentMapping),
    password_kinds: complete(await list(passwordKinds, read.readPasswordKind)),
    databases: await list(databases, read.readDatabase),
    privileged_functions: await list(privilegedFunctions, read.readPrivilegedFunction),
    parameter_privileges: await list(parameterPrivileges, read.readParameterPrivilege),
    untrusted_languages: await list(untrustedLanguages, row => row.text('name')),
    extensions: await list(extensions, read.readExtension),
    user_mappings: await list(userMappings, read.readUserMapping),
    archiver: first(
      await list(archiver, row => ({
        failing: row.flag('failing'),
        has_physical_slot: row.flag('has_physical_slot'),
      })),
    ),
    checksum_failures: await list(checksumFailures, row => row.text('name')),
  };
  // The last ones, since every role with CREATE can make them slow.
  return {
    collected_at,
    over,
    server: rights.server,
    ...ofServer,
    schemas: await list(schemas, read.readSchema),
    relations: await list(relations, read.readRelation),
    policies: await list(policies, read.readPolicy),
    definer_functions: await list(definerFunctions, read.readDefinerFunction),
    special_objects: await list(specialObjects, read.readSpecialObject),
    mutable_functions: await list(mutableFunctions, read.readMutableFunction),
    columns: await list(columns, read.readColumn),
    grants: await list(grants, read.readHash),
    row_security_hashes: await list(rowSecurityHashes, read.readHash),
  };
}

interface Rights {
  readonly server: PostgresServer;
  readonly readsAllSettings: boolean;
  readonly readsAllStats: boolean;
}

async function readServer(ask: Ask): Promise<Rights> {
  const [answer] = await ask(statement(server));
  const row = new Row(answer).row('fact');
  return {
    server: {
      version: row.text('version'),
      banner: row.text('banner').slice(0, 300),
      in_recovery: row.flag('in_recovery'),
      database: row.text('database'),
      reader: row.text('reader'),
      reader_is_superuser: row.flag('reader_is_superuser'),
    },
    readsAllSettings: row.flag('reads_all_settings'),
    readsAllStats: row.flag('reads_all_stats'),
  };
}

async function readList<T>(ask: Ask, query: PostgresQuery, readRow: (row: Row) => T): Promise<Listed<T>> {
  // After an error, a transaction answers only once it is rolled back to a savepoint.
  await ask('savepoint question');
  try {
    const answer = await ask(statement(query));
    const kept = answer.filter(({ fact }) => fact !== null).slice(0, maxRows);
    const rows = kept.map(fact => readRow(new Row(fact).row('fact')));
    return { assessed: true, value: { rows, truncated: rows.length < answer.length } };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    await ask('rollback to savepoint question');
    return refusal === 'privilege' ? lacking(query) : notAssessed(refusal);
  }
}

function lacking(query: PostgresQuery) {
  return notAssessed(`Reading the ${query.name} needs ${query.privilege ?? 'a privilege'}.`);
}

/** Of a list that decides what other rows mean, a part decides nothing. */
function complete<T>(list: Listed<T>): Listed<T> {
  if (!list.assessed || !list.value.truncated) return list;
  return notAssessed(`The server has more than the ${list.value.rows.length} rows that were read.`);
}

function first<T>(list: Listed<T>): Assessment<T> {
  if (!list.assessed) return list;
  const [value] = list.value.rows;
  return value === undefined ? notAssessed('The server returned no rows.') : { assessed: true, value };
}

function ageOf(
  file: Assessment<{ readonly known: boolean; readonly changed: boolean }>,
): Assessment<boolean> {
  if (!file.assessed) return file;
  const { known, changed } = file.value;
  if (known || changed) return { assessed: true, value: changed };
  return notAssessed('pg_hba.conf is outside the data directory, which has no link parapet_hba.conf to it.');
}

async function readSettings(
  list: <T>(query: PostgresQuery, readRow: (row: Row) => T) => Promise<Listed<T>>,
  { server, readsAllSettings }: Rights,
  owned: Listed<PostgresOverride>,
): Promise<readonly PostgresSetting[]> {
  const known = await list(settings, row => [row.text('name'), row.text('value')] as const);
  const values = new Map(known.assessed ? known.value.rows : []);
  const mine = (name: string) =>
    owned.assessed && owned.value.rows.some(own => own.role === server.reader && own.name === name);
  const assess = (name: string): Assessment<string> => {
    if (!known.assessed) return known;
    // A setting of the reader's own role hides the value for all other roles.
    if (mine(name)) return notAssessed(`${name} is set for the scanning role.`);
    const value = values.get(name);
    if (value !== undefined) return { assessed: true, value };
    return hiddenSettings.has(name) && !readsAllSettings
      ? lacking(settings)
      : notAssessed(`The server has no setting ${name}.`);
  };
  return settingNames.map(name => ({
    name,
    value: assess(name),
    ...(known.assessed && !values.has(name) && (readsAllSettings || !hiddenSettings.has(name))
      ? { absent: true as const }
      : {}),
  }));
}
