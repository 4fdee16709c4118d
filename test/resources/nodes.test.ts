import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { asOwner } from '../support/postgres.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { nodes } = service.storage;

it('forgets nodes that have not been seen for an hour, and keeps the start of one that returns', async () => {
  const mine = [randomUUID(), randomUUID()];
  const [late, gone] = mine.map(id => ({ id, host: 'a', role: 'api' as const, version: '1.0.0' }));
  await nodes.note(late!, 7_200);
  await nodes.note(gone!, 7_200);
  const backdate = (id: string, minutes: number) =>
    asOwner(service.database.connection, client =>
      client.query('update nodes set seen_at = now() - make_interval(mins => $2) where id = $1', [
        id,
        minutes,
      ]),
    );
  await backdate(late!.id, 59);
  await backdate(gone!.id, 61);
  await nodes.forget();
  const listed = async () => (await nodes.list()).filter(({ id }) => mine.some(own => own === id));
  const [before, ...others] = await listed();
  expect([before!.id, others]).toEqual([late!.id, []]);
  expect(before!.seenSecondsAgo).toBeGreaterThan(3_000);

  await nodes.note({ ...late!, version: '1.1.0' }, 0);
  const [after] = await listed();
  expect(after).toMatchObject({ version: '1.1.0', startedAt: before!.startedAt });
  expect(after!.seenSecondsAgo).toBeLessThan(60);
  await nodes.remove(late!);
  expect(await listed()).toEqual([]);
});
