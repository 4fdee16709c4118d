import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { auditLogsLock, untilWaiting } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

it('changes nothing for a key that was revoked while the change waited for a lock', async () => {
  const organizationId = await service.createOrganization();
  const [key, kept] = [await service.mint(organizationId), await service.mint(organizationId)];
  const create = (by: typeof key) =>
    call(service.url, by, 'POST', '/api/v1/systems', { name: 'S', environment: 'test', kind: 'site' });
  const answers = await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    await holder.query('select from organizations where id = $1 for update', [organizationId]);
    await holder.query(auditLogsLock);
    const sent = [create(key), create(kept)];
    await untilWaiting(service.database.connection, 2);
    // A change is checked again after one second.
    await setTimeout(1_100);
    await holder.query('update api_keys set revoked_at = now() where id = $1', [key.token_id]);
    await holder.query('commit');
    return Promise.all(sent);
  });
  expect(answers.map(({ status }) => status)).toEqual([401, 201]);
  const { json } = await call(service.url, kept, 'GET', '/api/v1/systems');
  expect(json.systems).toHaveLength(1);
});
