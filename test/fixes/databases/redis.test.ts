import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { detectorsFor } from '../../../src/detectors/catalogue.ts';
import { collectRedis } from '../../../src/surfaces/redis/collect.ts';
import { testAuthority } from '../../support/certificates.ts';
import { liveScan } from '../../support/live-scan.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/redis.ts';
import { freePort, loopbackGuard } from '../../support/website.ts';
import { expectRecorded, recordParser } from '../recorded.ts';
import { replaced, stepsFor } from '../steps.ts';
import { administrator, flawedConfiguration, redisFlaws } from './redis-flaws.ts';
import { type DatabaseScan, expectResolved } from './resolved.ts';

const authority = testAuthority();
const certificate = authority.issue({ covers: ['127.0.0.1'] });

describe.skipIf(!hasRedis())('Redis', () => {
  let server: RedisServer | undefined;
  const proven = new Map<string, string>();
  let version = '';
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function started(lines = ''): Promise<RedisServer & { readonly configuration: string }> {
    const tls = `${await freePort()}`;
    const configuration = replaced(`${flawedConfiguration}${lines}`, { '{tls}': tls, '{host}': hostname() });
    server = await startRedis(configuration, certificate);
    version = /redis_version:([\d.]+)/.exec(await server.run('INFO server'))![1]!;
    return Object.assign(server, { configuration });
  }

  it.each(stepsFor('Redis'))('$name', async ({ name, check, step }) => {
    const flaw = redisFlaws[name];
    if (flaw === undefined) throw new Error(`No flaw for ${name}.`);
    if ('unproven' in flaw) return;
    const { configuration, ...redis } = await started(flaw.lines);
    if (flaw.commands) await redis.run(flaw.commands, administrator);
    const before = await scan(redis);
    const finding = `${check.id} ${flaw.locator}`;
    expect(before.found).toContain(finding);
    const code = replaced(step.code, flaw.values);
    if (step.place === 'redis.cli') await redis.run(code, administrator);
    else await redis.reconfigure(`${configuration}\n${code}`);
    // One line may fix a setting that fails in several places.
    expectResolved(before, await scan(redis, code.includes('port 0')), finding);
    proven.set(name, version);
  });

  it('proves what it claims', () => expectRecorded('redis', proven));

  it('parses the code of all other steps', async () => {
    const { run, reconfigure, folder } = await started();
    for (const { name, step } of stepsFor('Redis')) {
      if (!('unproven' in redisFlaws[name]!)) continue;
      const code = step.code.replaceAll(
        /\/etc\/redis\/(?:server\.(crt|key)|ca\.pem)/g,
        (_, kind = 'crt') => `${folder}/server.${kind}`,
      );
      if (step.place === 'redis.file') await reconfigure(`port {port}\n${code}`);
      if (step.place === 'redis.cli')
        await expect(run(code, administrator).catch(String), name).resolves.not.toMatch(
          /unknown command|wrong number|syntax error/i,
        );
    }
    await expect(reconfigure('port {port}\nprotected-modes yes')).rejects.toThrow();
    await recordParser('Redis', version);
  });

  async function scan({ port }: Pick<RedisServer, 'port'>, tls = false): Promise<DatabaseScan> {
    const [, user, , password] = administrator;
    const host = `127.0.0.1:${port}`;
    const capture = await collectRedis(host, {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(20_000),
      trustedRoots: [authority.root],
      credential: { type: 'dsn', dsn: `${tls ? 'rediss' : 'redis'}://${user}:${password}@${host}` },
    });
    const { observations, notAssessed } = liveScan(detectorsFor('redis'), capture);
    return {
      found: observations.map(({ check, locator }) => `${check} ${locator}`),
      notAssessed: notAssessed.map(({ check }) => check),
    };
  }
});
