import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { MysqlCapture } from '../../captures/mysql.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { mysqlWith } from '../../detectors/mysql/hardened-capture.ts';
import { readAll } from './collect.ts';
import { mysqlQueries } from './queries.ts';
import type { MysqlQuery } from './query.ts';

const path = '../../../docs/databases/mysql.md';
const catalogs = [
  ...['mysql.user', 'mysql.role_edges', 'mysql.global_priv', 'mysql.roles_mapping'],
  ...['mysql.global_grants', 'mysql.db', 'mysql.tables_priv', 'mysql.proxies_priv'],
  'performance_schema.threads',
];
const partOf = {
  variables: 'variables',
  accounts: 'accounts',
  'role grants': 'role_grants',
  'plaintext users': 'plaintext_users',
  'global grants': 'global_grants',
  'object grants': 'object_grants',
  'proxy grants': 'proxy_grants',
} as const satisfies Record<MysqlQuery['name'], keyof MysqlCapture>;

/** The checks that are not assessed if a query's answer is missing. */
function checksThatNeed({ name }: MysqlQuery): string[] {
  const capture = { ...mysqlWith(), [partOf[name]]: { assessed: false, reason: 'Left out.' } };
  const detections = detectorsFor('mysql').map(detector => detector.detect(capture));
  return detections.flatMap(({ notAssessed }) => notAssessed).map(({ check }) => check);
}

function describeQuery(query: MysqlQuery): string {
  const { name, reads, privilege, sql } = query;
  const same = sql.mysql === sql.mariadb;
  const block = (family: 'mysql' | 'mariadb', title: string) =>
    `${title}, needs ${privilege[family] ?? 'no privilege'}:\n\n\`\`\`sql\n${sql[family]}\n\`\`\`\n`;
  return [
    `### ${name[0]!.toUpperCase()}${name.slice(1)}\n`,
    `${reads}\n`,
    `Used by ${checksThatNeed(query)
      .map(check => `\`${check}\``)
      .join(', ')}.\n`,
    ...(same
      ? [block('mysql', 'MySQL and MariaDB')]
      : [block('mysql', 'MySQL'), block('mariadb', 'MariaDB, from 10.4')]),
  ].join('\n');
}

it('is described in the documentation, statement by statement', async () => {
  const document = await readFile(new URL(path, import.meta.url), 'utf8');
  const [before, , after] = document.split(/(?<=<!-- queries:[^>]{0,200}-->\n)|(?=<!-- end of queries -->)/);
  expect(after, 'the place for the statements').toBeDefined();
  const section = mysqlQueries.map(describeQuery).join('\n');
  await expect(`${before}\n${section}\n${after}`).toMatchFileSnapshot(path);
});

it('reads no table but the catalogs, and changes nothing', () => {
  for (const { sql } of mysqlQueries) {
    for (const text of Object.values(sql)) {
      expect(text).toMatch(/^(?:select|show) /);
      for (const [, table] of text.matchAll(/\bfrom\s+(?!\()(\S+)/g)) {
        expect(catalogs).toContain(table);
      }
      expect(text).not.toMatch(/;|\binto\b|\bfor update\b/);
    }
  }
});

it('sends each server the queries that it supports', async () => {
  const asked: string[] = [];
  const askAs = (version: string) =>
    readAll(async sql => {
      asked.push(sql);
      return sql.startsWith('show') ? [{ Variable_name: 'version', Value: version }] : [];
    }, 'loopback');
  await askAs('8.4.13');
  await askAs('10.11.19-MariaDB-0+deb12u1');
  await askAs('5.7.44-log');
  expect(asked).toEqual([
    ...mysqlQueries.map(({ sql }) => sql.mysql),
    ...mysqlQueries.map(({ sql }) => sql.mariadb),
    ...mysqlQueries.filter(({ name }) => name !== 'role grants').map(({ sql }) => sql.mysql),
  ]);
});

it('reads only the columns of MySQL’s accounts that the documentation grants', async () => {
  const document = await readFile(new URL(path, import.meta.url), 'utf8');
  const [, granted = ''] = /GRANT SELECT \(([^)]+)\) ON mysql\.user/.exec(document) ?? [];
  const columns = granted.split(',').map(column => column.trim().toLowerCase());
  const { sql } = mysqlQueries.find(({ name }) => name === 'accounts')!;
  // Without texts, aliases, functions and keywords, only columns remain.
  const words = sql.mysql
    .replace(/'[^']*'|\bas \w+/g, '')
    .replace(/\b(?:select|from mysql\.user|order by|limit|null|if|concat|concat_ws|coalesce)\b/g, '');
  const used = new Set(words.toLowerCase().match(/[a-z_]+/g));
  expect([...used].sort()).toEqual(columns.sort());
});
