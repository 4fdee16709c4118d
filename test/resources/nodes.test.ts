import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { Nodes } from '../../src/resources/installation/nodes.ts';
import { asOwner, createDatabase, testPool } from '../support/postgres.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { nodes } = service.storage;

it('forgets nodes that have not been seen for an hour, and keeps the start of one that returns', async () => {
  const mine = [randomUUID(), randomUUID()];
  const [late, gone] = mine.map(id => ({
    id,
    host: 'a',
    role: 'api' as const,
    version: '1.0.0',
    connections: null,
  }));
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

it('compares the connections of the nodes that run with those that PostgreSQL permits', async () => {
  const database = await createDatabase(inject('postgres'));
  const { connection } = database;
  const { roles } = await migrate(connection);
  const pool = testPool({ ...connection, ...roles.system, max: 1 });
  try {
    const name = new URL(database.url).pathname.slice(1);
    await asOwner(connection, owner => owner.query(`alter database ${name} connection limit 60`));
    const own = new Nodes(pool);
    const note = (connections: number | null) =>
      own.note({ id: randomUUID(), host: 'a', role: 'api', version: '1.0.0', connections }, 0);
    await note(40);
    // Behind a pooler.
    await note(null);
    await note(20);
    expect(await own.overcommitment()).toBeUndefined();
    await note(1);
    expect(await own.overcommitment()).toEqual({ nodes: 3, most: 61, permitted: 60 });
    await asOwner(connection, owner =>
      owner.query("update nodes set seen_at = now() - interval '1 minute' where connections = 40"),
    );
    expect(await own.overcommitment()).toBeUndefined();
  } finally {
    await pool.end();
    await database.drop();
  }
});
