import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide } from '../../src/resources/findings/triage.ts';
import { listPostureScores, recordPosture } from '../../src/resources/posture/posture.ts';
import { createSource } from '../../src/resources/sources/sources.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it('has the newest score on the newest day, whenever its transaction began', async () => {
  const source = await authorizedSource(service);
  const { connection } = service.database;
  const [id] = await storeFindings(source, [{}]);
  const another = { system_id: source.systemId, name: 'B', kind: 'website', host: 'b.example' } as const;
  const other = await source.person.transaction(transaction => createSource(transaction, another));
  // As if a transaction had begun the day before.
  await asOwner(connection, client =>
    client.query(`create or replace function pg_catalog.now() returns timestamptz language sql stable as $$
      select transaction_timestamp() - coalesce(nullif(current_setting('test.earlier', true), ''), '0 s')::interval $$`),
  );
  const yesterday = { text: "select set_config('test.earlier', '1 day', true)" };
  let later!: Promise<void>;
  await source.person.transaction(async transaction => {
    await transaction.query(yesterday);
    await decide(transaction, [id!], { decision: 'false_positive', reason: 'A test' });
    later = source.person.transaction(next => recordPosture(next, other.id));
    await untilWaiting(connection, 1);
  });
  await later;
  expect(await source.store.read(session => listPostureScores(session, 2))).toMatchObject([{ high: 0 }]);
});
