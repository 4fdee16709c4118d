import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import type { PostgresCapture } from '../../captures/postgres.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { captureWith, notRead } from '../../detectors/postgres/hardened-capture.ts';
import { maxReceived, readAll } from './collect.ts';
import * as access from './queries/access.ts';
import * as hashes from './queries/hashes.ts';
import * as objects from './queries/objects.ts';
import { type PostgresQuery, statement, usualBytes } from './queries/query.ts';
import * as rights from './queries/rights.ts';
import * as rowSecurity from './queries/row-security.ts';
import * as server from './queries/server.ts';

const path = '../../../docs/databases/postgres.md';

/** The part of the capture that each query fills. */
const questions: readonly [PostgresQuery, keyof PostgresCapture][] = [
  [server.server, 'server'],
  [server.settings, 'settings'],
  [server.overrides, 'overrides'],
  [access.hbaRules, 'hba_rules'],
  [access.hbaFile, 'hba_changed'],
  [access.plaintextSessions, 'plaintext_sessions'],
  [access.roles, 'roles'],
  [access.memberships, 'memberships'],
  [access.identMappings, 'ident_mappings'],
  [access.passwordKinds, 'password_kinds'],
  [rights.databases, 'databases'],
  [rights.privilegedFunctions, 'privileged_functions'],
  [access.schemas, 'schemas'],
  [hashes.grants, 'grants'],
  [rowSecurity.relations, 'relations'],
  [rowSecurity.columns, 'columns'],
  [rowSecurity.policies, 'policies'],
  [hashes.rowSecurityHashes, 'row_security_hashes'],
  [rights.parameterPrivileges, 'parameter_privileges'],
  [rights.specialObjects, 'special_objects'],
  [rights.mutableFunctions, 'mutable_functions'],
  [objects.definerFunctions, 'definer_functions'],
  [objects.untrustedLanguages, 'untrusted_languages'],
  [objects.extensions, 'extensions'],
  [objects.userMappings, 'user_mappings'],
  [server.archiver, 'archiver'],
  [server.checksumFailures, 'checksum_failures'],
];

/** The checks that are not assessed if a query's answer is missing. */
function checksThatNeed(part: keyof PostgresCapture): string {
  if (part === 'server') return '`postgres.end_of_life`, `postgres.minor_behind`, and all others';
  const capture = { ...captureWith(), [part]: part === 'settings' ? [] : notRead() };
  // Only with a rule for all users does it matter whether superusers have passwords.
  const open = {
    databases: ['all'],
    users: ['all'],
    type: 'host',
    address: '10.0.0.0',
    netmask: '255.0.0.0',
  };
  const rules = part === 'password_kinds' ? { hba_rules: withRule(open) } : {};
  const detections = detectorsFor('postgres').map(detector => detector.detect({ ...capture, ...rules }));
  return detections
    .flatMap(({ notAssessed }) => notAssessed)
    .filter(({ inapplicable }) => !inapplicable)
    .map(({ check }) => `\`${check}\``)
    .join(', ');
}

function withRule(rule: object): PostgresCapture['hba_rules'] {
  const { hba_rules } = captureWith();
  const [first] = hba_rules.assessed ? hba_rules.value.rows : [];
  return { assessed: true, value: { rows: [{ ...first!, ...rule, method: 'md5' }], truncated: false } };
}

function describeQuestion([query, part]: (typeof questions)[number]): string {
  const { name, reads, privilege, sql } = query;
  return [
    `### ${name[0]!.toUpperCase()}${name.slice(1)}\n`,
    `${reads}\n`,
    `Needs ${privilege ?? 'no privilege'}. Used by ${checksThatNeed(part) || 'the report of what changed'}.\n`,
    `\`\`\`sql\n${sql}\n\`\`\`\n`,
  ].join('\n');
}

it('is described in the documentation, query by query', async () => {
  const document = await readFile(new URL(path, import.meta.url), 'utf8');
  const [before, , after] = document.split(
    /(?<=<!-- questions:[^>]{0,200}-->\n)|(?=<!-- end of questions -->)/,
  );
  const section = questions.map(describeQuestion).join('\n');
  await expect(`${before}\n${section}\n${after ?? '<!-- end of questions -->\n'}`).toMatchFileSnapshot(path);
});

it('sends the described queries, and nothing else', async () => {
  const asked: string[] = [];
  const refused = new pg.DatabaseError('permission denied', 17, 'error');
  refused.code = '42501';
  const capture = await readAll(async text => {
    asked.push(text);
    if (text === statement(server.server)) {
      const { server: described } = captureWith();
      return [{ fact: { ...described, reads_all_settings: true, reads_all_stats: true } }];
    }
    if (text.startsWith('select')) throw refused;
    return [];
  }, 'loopback');
  const control = asked.filter(text => /^(?:savepoint|rollback to savepoint) question$/.test(text));
  expect(asked.filter(text => !control.includes(text)).sort()).toEqual(
    questions.map(([query]) => statement(query)).sort(),
  );
  for (const [query, part] of questions.slice(2)) {
    expect([part, capture[part]]).toEqual([
      part,
      { assessed: false, reason: expect.stringMatching(`^Reading the ${query.name} needs `) },
    ]);
  }
});

it('ends in time, however many lists take too long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const started = performance.now();
    const late = new pg.DatabaseError('canceling statement due to statement timeout', 17, 'error');
    late.code = '57014';
    const capture = await readAll(async text => {
      if (text === statement(server.server)) {
        const { server: described } = captureWith();
        return [{ fact: { ...described, reads_all_settings: true, reads_all_stats: true } }];
      }
      if (!text.startsWith('select')) return [];
      vi.advanceTimersByTime(4_900);
      throw late;
    }, 'loopback');
    expect(performance.now() - started).toBeLessThan(25_000);
    expect(capture.overrides).toMatchObject({ reason: 'The server took longer than 5 seconds to answer.' });
    const reason = 'The server took longer than 20 seconds for other parts.';
    expect(capture.grants).toEqual({ assessed: false, reason });
    expect(capture.settings[0]!.value).toMatchObject({ assessed: false });
  } finally {
    vi.useRealTimers();
  }
});

it('has room for all lists at once, however long each is', () => {
  const bytes = questions.map(([query]) => query.bytes ?? usualBytes);
  expect(bytes.reduce((sum, most) => sum + most)).toBeLessThan(maxReceived * 0.9);
});

it('reads only catalogs of the server, each by its full name', () => {
  for (const [{ sql }] of questions) {
    expect(sql).toMatch(/^(?:select|with) /);
    for (const [, source] of sql.matchAll(/\b(?:from|join)\s+(?!lateral)([a-z_.]+)/g)) {
      // Besides catalogs: columns, aliases and common table expressions of the statement itself.
      expect(source).toMatch(
        /^(?:pg_catalog\.pg_[a-z_]+|unnest|reached|views|audience|objects|hashed|locked|sized|priced|shared|groups|api|special|used|inet_server_addr)$/,
      );
    }
    // As JSON, also the source code of functions: megabytes of each.
    expect(sql).not.toMatch(/\bto_jsonb\((?![rm]\))/);
    expect(sql).not.toMatch(/;|\binto\b|\bfor update\b|\bprosrc\b|\bsubconninfo\b|\bpg_get_functiondef\b/);
  }
});
