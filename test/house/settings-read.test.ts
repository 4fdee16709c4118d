import { expect, it } from 'vitest';
import { filePaths } from '../../src/captures/file-paths.ts';
import { servicePaths } from '../../src/captures/service-paths.ts';
import { technologies } from '../../src/captures/technologies.ts';
import { settingRules as ofMysql } from '../../src/detectors/mysql/configuration/rules.ts';
import { overrideRules } from '../../src/detectors/postgres/configuration/override-rules.ts';
import { settingRules as ofPostgres } from '../../src/detectors/postgres/configuration/rules.ts';
import { settingRules as ofRedis } from '../../src/detectors/redis/configuration/rules.ts';
import { mysqlQueries } from '../../src/surfaces/mysql/queries.ts';
import { hiddenSettings, overrides, settingNames } from '../../src/surfaces/postgres/queries/server.ts';
import { settingNames as redisSettings } from '../../src/surfaces/redis/commands.ts';

/** A rule about a setting that no scan reads would never fire. */
it.each([
  [
    'MySQL',
    ofMysql,
    (name: string) =>
      mysqlQueries.some(({ sql }) => [sql.mysql, sql.mariadb].every(text => text?.includes(`'${name}'`))),
  ],
  ['Redis', ofRedis, (name: string) => redisSettings.some(one => one === name)],
  ['PostgreSQL', ofPostgres, (name: string) => settingNames.includes(name) || hiddenSettings.has(name)],
  ['roles of PostgreSQL', overrideRules, (name: string) => overrides.sql.includes(`'${name}'`)],
] as const)('reads every setting that rules of %s judge', (_, rules, isRead) => {
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.map(({ setting }) => setting).filter(name => !isRead(name))).toEqual([]);
});

it('knows every technology of a listed path, and has its weight', () => {
  const known = new Set<string>(technologies);
  const wrong = [...filePaths, ...servicePaths].filter(
    ({ weight, of }) => !(weight >= 1 && weight <= 10) || of.some(one => !known.has(one)),
  );
  expect(wrong).toEqual([]);
});
