import { afterAll, beforeAll, expect, it } from 'vitest';
import { findingsOfChecks } from '../../src/resources/controls/findings.ts';
import { gapsOf, passesOf, resultsBySource } from '../../src/resources/controls/results-of-checks.ts';
import { storeAssessments } from '../support/assessments.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { asOwner } from '../support/postgres.ts';
import { rowsRead } from '../support/rows-read.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let source: Awaited<ReturnType<typeof authorizedSource>>;
beforeAll(async () => {
  service = await startService();
  source = await authorizedSource(service);
  const { organizationId, systemId, sourceId } = source;
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
    // Those of check 1 are outdated, and those of check 2 were not assessed.
    await client.query(
      storeAssessments(`select $1::uuid as organization_id, s.id as source_id, 'website.check_' || n as check_id,
          case when n = 2 then 'not_assessed' else 'passed' end as outcome, case when n = 2 then 'No answer.' end as reason,
          $2::uuid as scan_id, now() - case when n = 1 then interval '1 year' else '0' end as looked_at
        from (select id from sources where id <> $3 order by id limit 2000) as s, generate_series(0, 99) as n`),
      [organizationId, scan.rows[0].id, sourceId],
    );
    // Disconnected ones do not count, whatever was seen.
    await client.query(
      `update sources set status = 'disconnected' where id in (
        select source_id from check_sources where check_id = 'website.check_3' order by source_id limit 5)`,
    );
    await client.query('analyze');
  });
});
afterAll(() => service?.close());

// As many checks as a control has.
const checks = Array.from({ length: 80 }, (_, number) => `website.check_${number}`);

it('lists the results of a control on the given sources, those never assessed, and others', async () => {
  const { store, sourceId } = source;
  const facts = await store.read(session => resultsBySource(session, checks, ['website'], [sourceId], 100));
  expect(facts).toHaveLength(100);
  const none = { assessed: 0, not_assessed: 0, outdated: 0, accepted: 0, looked_at: null };
  expect(facts[0]).toMatchObject({ id: sourceId, open: 10_000, ...none });
  expect(facts[1]).toMatchObject({ open: 0, ...none });
  const others = await store.read(session => gapsOf(session, checks, 100));
  const given = await store.read(session =>
    resultsBySource(
      session,
      checks,
      ['website'],
      others.map(gap => gap.source_id),
      100,
    ),
  );
  expect(given.map(({ id }) => id).sort()).toEqual(others.map(gap => gap.source_id).sort());
  expect(given[0]).toMatchObject({ open: 0, accepted: 0, assessed: 78, not_assessed: 1, outdated: 1 });
});

it('lists recent passes and gaps on sources in scope, by check and source', async () => {
  const { store } = source;
  const passes = await store.read(session => passesOf(session, checks, 3_000));
  expect(passes).toHaveLength(3_000);
  const times = (check: number) => passes.filter(pass => pass.check === `website.check_${check}`).length;
  expect([0, 1, 2, 3, 4].map(times)).toEqual([1_995, 0, 0, 1_005, 0]);
  const key = ({ check, source_name, source_id }: (typeof passes)[0]) =>
    `${check} ${source_name} ${source_id}`;
  expect(passes.map(key)).toEqual(passes.map(key).sort());
  const gaps = await store.read(session => gapsOf(session, checks, 3_000));
  expect(gaps).toHaveLength(1_995);
  expect(gaps[0]).toMatchObject({ check: 'website.check_2', reason: 'No answer.' });
});

it('reads no results of sources that a control does not list', async () => {
  const reads = {
    passes: await rowsRead(source.store, store => store.read(session => passesOf(session, checks, 100))),
    gaps: await rowsRead(source.store, store => store.read(session => gapsOf(session, checks, 100))),
    findings: await rowsRead(source.store, store =>
      store.read(session => findingsOfChecks(session, checks, 100)),
    ),
    sources: await rowsRead(source.store, store =>
      store.read(session => resultsBySource(session, checks, ['website'], [], 100)),
    ),
  };
  // One check has the outcomes of 2,000 sources, all checks have 160,000.
  for (const [list, rows] of Object.entries(reads)) expect(rows, list).toBeLessThan(20_000);
});
