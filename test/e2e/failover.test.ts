import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOutsidePostgres } from '../support/outside-postgres.ts';
import { operate } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call, send, signRequest } from '../support/signing-client.ts';

const programs = await findOutsidePostgres();

describe.runIf(programs)('with both servers in DATABASE_URL', () => {
  let postgres: ReplicatedPostgres;
  let env: Record<string, string>;
  let service: ServingProcess;
  let key: ClientKey;
  beforeAll(async () => {
    postgres = await startReplicatedPostgres(programs!);
    const { primary, standby } = postgres;
    env = {
      DATABASE_URL: postgres.url(primary, standby),
      PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
      PARAPET_MANAGEMENT_PORT: 'off',
    };
    service = await ServingProcess.serve(env);
    const { id } = await operate(env, 'organizations', 'create', '--name', 'Available');
    key = await operate(env, 'keys', 'mint', '--organization', id);
  });
  afterAll(async () => {
    await service?.kill('SIGTERM');
    await postgres?.close();
  });

  /** Creates systems until it was acknowledged. */
  const create = (name: string) =>
    poll(`a write of ${name}`, async () => {
      const body = { name, environment: 'test', kind: 'site' };
      return (await call(service.url, key, 'POST', '/api/v1/systems', body)).status === 201;
    });

  const names = async () => {
    const { systems } = (await call(service.url, key, 'GET', '/api/v1/systems')).json;
    return new Set(systems.map(({ name }: { name: string }) => name));
  };

  const listening = (server: ReplicatedPostgres['primary']) =>
    poll('the worker listens', async () => {
      const { rowCount } = await server.query(
        `select from pg_stat_activity where query = 'listen parapet_jobs'`,
      );
      return rowCount === 1;
    });

  it('writes to the standby that was promoted after the primary was killed, and keeps what was acknowledged', async () => {
    const { primary, standby } = postgres;
    await create('before');
    const used = signRequest(key, 'GET', '/api/v1/systems');
    expect((await send(service.url, used)).status).toBe(200);
    await primary.stop('SIGKILL');
    const refused = await call(service.url, key, 'GET', '/api/v1/systems');
    expect(refused.status).toBe(500);
    await poll('the outage is known', async () => (await fetch(`${service.url}/readyz`)).status === 503);
    await standby.promote();
    await create('after');
    expect(await names()).toEqual(new Set(['before', 'after']));
    // A nonce that was used is still known.
    expect((await send(service.url, used)).status).toBe(401);
    await poll('the service is ready', async () => (await fetch(`${service.url}/readyz`)).status === 200);
    await listening(standby);
    const { checks } = await operate(env, 'doctor');
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  });

  it('returns to the first server once that follows the other and is promoted, without a restart', async () => {
    const { primary: first, standby: second } = postgres;
    await first.copy(second);
    await first.start();
    // The standby is the first in the URL.
    expect((await operate(env, 'organizations', 'create', '--name', 'Other')).id).toBeDefined();
    await create('between');
    await second.stop();
    await first.promote();
    await create('again');
    expect(await names()).toEqual(new Set(['before', 'after', 'between', 'again']));
    await listening(first);
    const events = service.log.filter(line => line.startsWith('{')).map(line => JSON.parse(line));
    const outages = events.map(({ msg }) => msg).filter(msg => msg?.startsWith('database.'));
    expect(outages.slice(0, 2)).toEqual(['database.unavailable', 'database.available']);
    expect(events.filter(({ level }) => level >= 50).map(({ msg }) => msg)).not.toContain('request.failed');
  });
});
