import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countChanges } from '../../src/resources/people/change-counts.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const limit = { name: 'test', most: 50, seconds: 3_600 };

it('counts changes on all nodes together, until the window ends', async () => {
  const node = await service.addNode();
  const holder = randomUUID();
  const counted = (changes?: number) =>
    Promise.allSettled(
      Array.from({ length: 80 }, (_, index) =>
        countChanges((index % 2 === 0 ? service : node).storage.people, limit, holder, changes),
      ),
    ).then(outcomes => outcomes.filter(({ status }) => status === 'fulfilled').length);
  expect(await counted()).toBe(50);
  await expect(countChanges(node.storage.people, limit, holder)).rejects.toMatchObject({
    code: 'too_many_changes',
    details: { retry_after_seconds: expect.toSatisfy(seconds => seconds > 3_500 && seconds <= 3_600) },
  });
  const endIn = (seconds: number) =>
    asOwner(service.database.connection, client =>
      client.query(
        'update change_counts set ends_at = now() + make_interval(secs => $1) where holder like $2',
        [seconds, `%${holder}`],
      ),
    );
  await endIn(100);
  await expect(countChanges(node.storage.people, limit, holder)).rejects.toMatchObject({
    details: { retry_after_seconds: expect.toSatisfy(seconds => seconds > 40 && seconds <= 100) },
  });
  await expect(countChanges(node.storage.people, limit, randomUUID())).resolves.toBeUndefined();
  await endIn(-1);
  expect(await counted(25), 'in a new window').toBe(2);
});

it('counts nothing of a request that exceeds the limit', async () => {
  const holder = randomUUID();
  const take = (changes: number) => countChanges(service.storage.people, limit, holder, changes);
  await expect(take(51)).rejects.toMatchObject({ details: { retry_after_seconds: 3_600 } });
  await take(40);
  await expect(take(11)).rejects.toThrow();
  await take(10);
  await expect(take(1)).rejects.toThrow();
});

it('are forgotten once their window has ended', async () => {
  const [ended, open] = [randomUUID(), randomUUID()];
  await countChanges(service.storage.people, { ...limit, seconds: 0 }, ended);
  await countChanges(service.storage.people, limit, open);
  await service.storage.sweep();
  const left = await asOwner(service.database.connection, async client => {
    const { rows } = await client.query('select holder from change_counts where holder like any ($1)', [
      [`%${ended}`, `%${open}`],
    ]);
    return rows;
  });
  expect(left).toEqual([{ holder: `test ${open}` }]);
});
