import { afterAll, beforeAll, expect, it } from 'vitest';
import { factsBySource } from '../../src/resources/controls/facts.ts';
import { storeAssessments } from '../support/assessments.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it('counts the results of a control in one pass, even if one of many sources has all findings', async () => {
  const { organizationId, systemId, sourceId, store } = await authorizedSource(service);
  await asOwner(service.database.connection, async client => {
    await client.query(
      `insert into sources (organization_id, system_id, name, kind, host, status, connection_mode)
        select organization_id, system_id, lpad(n::text, 200, 'é'), kind, lpad(n::text, 2040, 'h'), 'connected', connection_mode
        from sources, generate_series(1, 4999) as n where id = $1`,
      [sourceId],
    );
    await client.query(
      `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title, remediation,
          seen, hipaa)
        select $1, $2, $3, 'website.check_0', n::text, lpad(n::text, 2000, 'l'), 'high', 't', repeat('r', 1000), repeat('s', 1000), true from generate_series(1, 10000) as n`,
      [organizationId, systemId, sourceId],
    );
    const scan = await client.query(
      `insert into scans (organization_id, profile, system_id, idempotency_key) values ($1, 'safe_all_surfaces', $2, 'a scan')
        returning id`,
      [organizationId, systemId],
    );
    await client.query(
      storeAssessments(`select $1::uuid as organization_id, s.id as source_id, 'website.check_' || n as check_id, 'passed' as outcome,
          null::text as reason, $2::uuid as scan_id, now() as looked_at
        from (select id from sources where id <> $3 order by id limit 2000) as s, generate_series(0, 99) as n`),
      [organizationId, scan.rows[0].id, sourceId],
    );
    await client.query('analyze');
  });
  // As many checks as a control has.
  const checks = Array.from({ length: 80 }, (_, number) => `website.check_${number}`);
  const facts = await store.read(async session => {
    await session.query({ text: `set local statement_timeout = '4s'` });
    return factsBySource(session, checks, ['website'], 100);
  });
  expect(facts).toHaveLength(100);
  const none = { assessed: 0, not_assessed: 0, outdated: 0, accepted: 0, looked_at: null };
  expect(facts[0]).toMatchObject({ id: sourceId, open: 10_000, ...none });
  expect(facts[1]).toMatchObject({ open: 0, ...none });
});
