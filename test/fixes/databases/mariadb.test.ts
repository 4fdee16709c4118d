import { execFile } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { detectorsFor } from '../../../src/detectors/catalogue.ts';
import { collectMysql } from '../../../src/surfaces/mysql/collect.ts';
import { testAuthority } from '../../support/certificates.ts';
import { liveScan } from '../../support/live-scan.ts';
import { hasMariadb, type MariadbServer, startMariadb } from '../../support/mariadb.ts';
import { loopbackGuard } from '../../support/website.ts';
import { expectRecorded, recordParser } from '../recorded.ts';
import { replaced, stepsFor } from '../steps.ts';
import { flawedOptions, mariadbFlaws } from './mariadb-flaws.ts';
import { type DatabaseScan, expectResolved } from './resolved.ts';

const authority = testAuthority();
const password = 'S3cret-of-the-tests';
const client = '/usr/bin/mariadb';

describe.skipIf(!hasMariadb())('MariaDB', () => {
  let server: MariadbServer;
  let options = flawedOptions;
  let cleanUp = '';
  const proven = new Map<string, string>();
  let version = '';

  beforeAll(async () => {
    server = await startMariadb(
      authority.issue({ covers: ['127.0.0.1'] }),
      [
        `create user root@127.0.0.1 identified by '${password}'`,
        'grant all on *.* to root@127.0.0.1 with grant option',
      ],
      { configuration: options },
    );
    version = (await run('select version()')).split('-')[0] ?? '';
  });
  afterAll(() => server?.close());
  afterEach(async () => {
    await run(cleanUp);
    cleanUp = '';
  });

  it.each(stepsFor('MariaDB'))('$name', async ({ name, check, step }) => {
    const flaw = mariadbFlaws[name];
    if (flaw === undefined) throw new Error(`No flaw for ${name}.`);
    if ('unproven' in flaw) return;
    cleanUp = flaw.after ?? '';
    const finding = `${check.id} ${flaw.locator}`;
    if (flaw.sql) await run(flaw.sql);
    const before = await scan();
    expect(before.found).toContain(finding);
    const code = replaced(step.code, flaw.values);
    if (step.place === 'mariadb.sql') {
      await run(code);
    } else {
      options += `${code}\n`;
      await server.reconfigure(options);
    }
    // One line may fix a setting that fails in several places.
    expectResolved(before, await scan(), `${check.id} ${flaw.locator.split(' ')[0]}`);
    proven.set(name, version);
  });

  it('proves what it claims', () => expectRecorded('mariadb', proven));

  it('parses the code of all other steps', async () => {
    for (const { name, step } of stepsFor('MariaDB')) {
      if (step.place === 'mariadb.sql' && 'unproven' in mariadbFlaws[name]!) {
        expect(await syntaxErrors(step.code), name).toEqual([]);
      }
    }
    expect(await syntaxErrors('DROP USERS x;')).toHaveLength(1);
    await recordParser('MariaDB', version);
  });

  /** The syntax errors that the server's parser reports for a script. */
  async function syntaxErrors(script: string): Promise<string[]> {
    const errors = await run(script).then(
      () => '',
      (error: Error) => error.message,
    );
    return errors.split('\n').filter(line => line.startsWith('ERROR 1064 '));
  }

  /** Runs a script as an administrator would, up to the first error. */
  function run(script: string): Promise<string> {
    const parameters = [
      '--no-defaults',
      '-N',
      '-h',
      '127.0.0.1',
      '-P',
      `${server.port}`,
      '-u',
      'root',
      '--ssl',
    ];
    return new Promise((resolve, reject) => {
      const env = { ...process.env, MYSQL_PWD: password };
      const child = execFile(client, parameters, { env }, (error, stdout, stderr) =>
        error ? reject(new Error(`${stderr}\n${script}`)) : resolve(stdout),
      );
      child.stdin?.end(script);
    });
  }

  async function scan(): Promise<DatabaseScan> {
    const capture = await collectMysql(`127.0.0.1:${server.port}`, {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(20_000),
      trustedRoots: [authority.root],
      credential: { type: 'dsn', dsn: `mysql://root:${password}@127.0.0.1:${server.port}` },
    });
    const { observations, notAssessed } = liveScan(detectorsFor('mysql'), capture);
    return {
      found: observations.map(({ check, locator }) => `${check} ${locator}`),
      notAssessed: notAssessed.map(({ check }) => check),
    };
  }
});
