import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { RedisCapture } from '../../captures/redis.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { redisWith } from '../../detectors/redis/hardened-capture.ts';
import { type RedisQuery, redisQueries, settingNames } from './commands.ts';

const path = '../../../docs/databases/redis.md';
const partOf = {
  server: 'info',
  settings: 'settings',
  users: 'users',
  modules: 'modules',
} as const satisfies Record<RedisQuery['name'], keyof RedisCapture>;

/** The checks that are not assessed if a query's answer is missing. */
function checksThatNeed({ name }: RedisQuery): string[] {
  const complete = redisWith();
  const missing = { ...complete, [partOf[name]]: { assessed: false, reason: 'Left out.' } };
  const notAssessed = (capture: RedisCapture) =>
    detectorsFor('redis').flatMap(detector => detector.detect(capture).notAssessed.map(({ check }) => check));
  const always = notAssessed(complete);
  return notAssessed(missing).filter(check => name === 'server' || !always.includes(check));
}

function describeQuery(query: RedisQuery): string {
  const { name, reads, permission, commands } = query;
  const checks = checksThatNeed(query).map(check => `\`${check}\``);
  return [
    `### ${name[0]!.toUpperCase()}${name.slice(1)}\n`,
    `${reads}\n`,
    `Needs \`${permission}\`. Used by ${checks.join(', ')}.\n`,
    `\`\`\`redis\n${commands.map(command => command.join(' ')).join('\n')}\n\`\`\`\n`,
  ].join('\n');
}

it('is described in the documentation, command by command', async () => {
  const document = await readFile(new URL(path, import.meta.url), 'utf8');
  const [before, , after] = document.split(
    /(?<=<!-- commands:[^>]{0,200}-->\n)|(?=<!-- end of commands -->)/,
  );
  expect(after, 'the place for the commands').toBeDefined();
  const section = redisQueries.map(describeQuery).join('\n');
  await expect(`${before}\n${section}\n${after}`).toMatchFileSnapshot(path);
});

it('reads no key, changes nothing, and names every setting', () => {
  const sent = redisQueries.flatMap(({ commands }) => commands.map(command => command.join(' ')));
  const readOnly = /^(?:INFO (?:server|replication)|CONFIG GET [a-z-]+|ACL LIST|MODULE LIST)$/;
  expect(sent.filter(command => !readOnly.test(command))).toEqual([]);
});

it('requests no setting that is a secret', () => {
  expect(settingNames.filter(name => /pass|auth$|secret|key/.test(name))).toEqual([]);
});
