import { beforeAll, expect, it } from 'vitest';
import { recordPosture } from '../../src/resources/posture/posture.ts';
import { storeAssessments } from '../support/assessments.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let source: AuthorizedSource;
beforeAll(async () => {
  service = await sharedService();
  source = await authorizedSource(service);
});

const counted = `
  select category as check_id, status as state, severity_rank, hipaa, '-infinity'::date as day, count(*)::int as count
    from findings where organization_id = $1 group by 1, 2, 3, 4
  union all select check_id, outcome, 0, false, (looked_at at time zone 'UTC')::date, count(*)::int
    from check_assessments where organization_id = $1 group by 1, 2, 5`;
const kept = `
  select check_id, state, severity_rank, hipaa, day, sum(count)::int as count from (
    select check_id, state, severity_rank, hipaa, day, count from check_counts where organization_id = $1
    union all select check_id, state, severity_rank, hipaa, day, count from check_count_changes where organization_id = $1) as summed
  group by 1, 2, 3, 4, 5 having sum(count) <> 0`;

const listed = `select check_id, outcome, source_id from check_assessments
  where organization_id = $1 and outcome in ('passed', 'not_assessed')`;
const keptLists = 'select check_id, outcome, source_id from check_sources where organization_id = $1';

async function expectExact(): Promise<void> {
  for (const [one, other] of [
    [kept, counted],
    [keptLists, listed],
  ] as const) {
    const differences = await asOwner(service.database.connection, async client => {
      const both = `((${one}) except (${other})) union all ((${other}) except (${one}))`;
      return (await client.query(both, [source.organizationId])).rows;
    });
    expect(differences).toEqual([]);
  }
}

it('counts and lists findings and results of checks exactly, whatever changes them, before and after they are added up', async () => {
  const ids = await storeFindings(source, [
    { category: 'tls.expired', severity: 'high' },
    { category: 'tls.expired', severity: 'high' },
    { category: 'csp.missing', severity: 'low', hipaa: true },
    { category: 'csp.missing', severity: 'low', resolved: true },
  ]);
  await expectExact();
  const scanId = await queuedScan(source);
  const looked = `'${source.organizationId}'::uuid as organization_id, '${source.sourceId}'::uuid as source_id, '${scanId}'::uuid as scan_id`;
  const changes = [
    `update findings set triage = 'false_positive' where id = '${ids[0]}'`,
    `update findings set observed = false where id = '${ids[1]}'`,
    `update findings set severity = 'critical', category = 'csp.weak', hipaa = false where id = '${ids[2]}'`,
    storeAssessments(`select ${looked}, now() - n * interval '1 day' as looked_at, 'check.' || n as check_id, 'passed' as outcome,
      null::text as reason from generate_series(1, 3) n`),
    storeAssessments(`select ${looked}, now() as looked_at, 'check.' || n as check_id, 'not_assessed' as outcome,
      'No answer.' as reason from generate_series(2, 5) n`),
    storeAssessments(`select ${looked}, now() as looked_at, 'check.' || n as check_id, 'observed' as outcome,
      null::text as reason from generate_series(1, 2) n`),
  ];
  for (const text of changes) {
    await asOwner(service.database.connection, async client => {
      await client.query("select set_config('parapet.organization_id', $1, false)", [source.organizationId]);
      await client.query(text);
    });
    await expectExact();
  }
  // Few changes are left where they are.
  await source.store.transaction(transaction => recordPosture(transaction, source.sourceId));
  await expectExact();
  const few = await changesOf(source);
  expect(few).toBeGreaterThanOrEqual(changes.length);
  for (let flip = few; flip < 32; flip++) {
    await source.store.transaction(transaction =>
      transaction.query({
        text: 'update findings set observed = not observed where id = $1',
        values: [ids[3]!],
      }),
    );
  }
  await source.store.transaction(transaction => recordPosture(transaction, source.sourceId));
  await expectExact();
  const left = await source.store.read(session =>
    session.query({
      text: 'select from check_count_deltas union all select from check_counts where count = 0',
    }),
  );
  expect(left).toEqual([]);
});

async function changesOf({ store }: AuthorizedSource): Promise<number> {
  const rows = await store.read(session => session.query({ text: 'select from check_count_deltas' }));
  return rows.length;
}
