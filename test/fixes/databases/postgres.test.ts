import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { places } from '../../../src/detectors/remediation/places.ts';
import { canTest } from '../../support/can-test.ts';
import { installedPostgres } from '../../support/scan-postgres.ts';
import { expectRecorded, recordParser } from '../recorded.ts';
import { replaced, type StepOfCheck, stepsFor } from '../steps.ts';
import { type FlawedPostgres, psql, startFlawedPostgres } from './postgres.ts';
import { debianOnly, newerOnly, type PostgresFlaw, postgresFlaws } from './postgres-flaws.ts';
import { expectResolved } from './resolved.ts';

const steps = stepsFor('PostgreSQL');
const hasPsql = canTest(existsSync(psql), `${psql} is not installed; fixes for PostgreSQL are not proven`);

/** The versions on which each step was proven. */
const proven = new Map<string, string[]>();

function isProvable(name: string): boolean {
  const flaw = postgresFlaws[name];
  return flaw !== undefined && !('unproven' in flaw);
}

const servers = hasPsql ? await installedPostgres() : [];
describe.each(servers)('$name', ({ programs }) => {
  let flawed: FlawedPostgres;
  let version: string;
  beforeAll(async () => {
    flawed = await startFlawedPostgres(programs);
    version = /[\d.]+/.exec(await flawed.run('show server_version'))?.[0] ?? '';
  });
  afterAll(() => flawed?.server.close());

  let cleanUp = '';
  afterEach(async () => {
    await flawed.run(cleanUp);
    cleanUp = '';
    await flawed.setRules('');
  });

  it.each(steps.filter(({ name }) => !(programs ? newerOnly : debianOnly).has(name)))('$name', async one => {
    const flaw = postgresFlaws[one.name];
    if (flaw === undefined) throw new Error(`No flaw for ${one.name}.`);
    if ('unproven' in flaw) return;
    const finding = `${one.check.id} ${flaw.locator}`;
    cleanUp = flaw.after ?? '';
    await bringAbout(flaw);
    const before = await flawed.scan();
    expect(before.found).toContain(finding);
    await apply(one, flaw);
    expectResolved(before, await flawed.scan(), finding);
    proven.set(one.name, [...(proven.get(one.name) ?? []), version]);
  });

  it('parses the code of all other steps', async () => {
    const others = [...steps, ...stepsFor('Supabase')].filter(({ name }) => !isProvable(name));
    for (const { name, step } of others) {
      if (places[step.place].language === 'sql') {
        expect(await flawed.syntaxErrors(step.code), name).toEqual([]);
      }
      if (step.place !== 'postgres.hba') continue;
      await flawed.setRules(step.code);
      const errors = 'select error from pg_hba_file_rules where error is not null';
      expect(await flawed.run(errors), name).toBe('');
    }
    expect(await flawed.syntaxErrors('drop extension; drop extensions x;')).toHaveLength(2);
    await recordParser('PostgreSQL', version);
  });

  async function bringAbout({ sql, settings = {}, rule, restart }: PostgresFlaw): Promise<void> {
    const set = Object.entries(settings).map(([name, value]) => `alter system set ${name} = '${value}';`);
    await flawed.run([...set, 'select pg_reload_conf();', sql ?? ''].join('\n'));
    if (rule) await flawed.setRules(rule);
    if (restart && set.length > 0) await flawed.restart();
  }

  async function apply({ step }: StepOfCheck, flaw: PostgresFlaw): Promise<void> {
    const code = replaced(step.code, flaw.values);
    if (step.place === 'postgres.sql') {
      await flawed.run(code);
      if (flaw.restart) await flawed.restart();
    } else if (step.place === 'postgres.hba') {
      await flawed.setRules(flaw.before ? `${code}\n${flaw.rule}` : code);
    } else if (step.place === 'postgres.file') {
      await appendFile(join(flawed.server.data, 'postgresql.conf'), `${code}\n`);
      await flawed.restart();
    } else {
      await flawed.server.stop();
      const [program = '', ...parameters] = replaced(code, {
        '/var/lib/postgresql/18/main': flawed.server.data,
      }).split(' ');
      await flawed.server.run(program, parameters);
      await flawed.server.start();
    }
  }
});

describe.skipIf(servers.length < 2)('what is recorded', () => {
  it('was proven', () =>
    expectRecorded(
      'postgres',
      new Map([...proven].map(([name, versions]) => [name, versions.join(' and ')])),
    ));
});
