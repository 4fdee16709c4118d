import type pg from 'pg';

/** Milliseconds of simulated time. */
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/**
 * Keeps the newest scan of each source as the one to repeat, with its runs and a job, and moves what the worker has written to before the
 * first simulated day.
 */
export async function keepTemplates(owner: pg.Client, beforeMs: number): Promise<void> {
  await owner.query(`
    create temp table template_scans as
      select s.*, row_number() over (order by source_id) - 1 as place, count(*) over () as of_all
      from (select distinct on (source_id) * from scans order by source_id, created_at desc) as s;
    create temp table template_runs as
      select r.*, r.finished_at - t.started_at as took from scan_runs r join template_scans t on t.id = r.scan_id;
    create temp table template_job as
      select * from pgboss.job_common where name = 'scan-inspect' and state = 'completed' limit 1;
    analyze template_scans; analyze template_runs`);
  await owner.query(
    `with moved as (
        update scans s set created_at = s.created_at - past, started_at = s.started_at - past, finished_at = s.finished_at - past
        from (select max(created_at) - $1::timestamptz as past from scans) as p returning s.id, s.created_at, s.finished_at)
      update last_scans l set created_at = m.created_at, finished_at = m.finished_at from moved m where m.id = l.scan_id`,
    [new Date(beforeMs)],
  );
  // What they refer to is there.
  await owner.query('alter table scan_runs disable trigger all');
  // Statistics of small tables would make a plan for all values that reads the whole table.
  await owner.query("set plan_cache_mode = 'force_custom_plan'; set synchronous_commit = off");
}

/**
 * The scans of these hours as the worker writes them: queued, started with their runs, and ended. With 20,000 sources, about as many are
 * between these steps at any moment as with 16 in six hours.
 *
 * @returns their ids
 */
export async function scanFor(
  owner: pg.Client,
  organizationId: string,
  atMs: number,
  hours: number,
): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>({
    name: 'queued',
    text: `insert into scans (profile, source_id, idempotency_key, sources, is_requested, created_at)
      select profile, source_id, gen_random_uuid()::text, 1, false,
          $1::timestamptz + hour * interval '1 hour' + place * interval '1 hour' / of_all
        from template_scans, generate_series(0, $2::int - 1) hour order by hour, place
      returning id`,
    values: [new Date(atMs), hours],
  });
  const ids = rows.map(({ id }) => id);
  await owner.query({
    name: 'started',
    text: `with started as (
        update scans s set status = 'running', started_at = s.created_at + (t.started_at - t.created_at), runs_planned = t.runs_planned
        from template_scans t
        where s.organization_id = $1 and s.id = any($2) and t.source_id = s.source_id returning s.id, s.source_id, s.started_at)
      insert into scan_runs (scan_id, source_id, detector, status, started_at)
      select s.id, s.source_id, r.detector, 'running', s.started_at from started s join template_runs r on r.source_id = s.source_id`,
    values: [organizationId, ids],
  });
  await owner.query({
    name: 'runs ended',
    text: `update scan_runs r set status = t.status, cause = t.cause, finished_at = r.started_at + t.took from template_runs t
      where r.organization_id = $1 and r.scan_id = any($2) and t.source_id = r.source_id and t.detector = r.detector`,
    values: [organizationId, ids],
  });
  await owner.query({
    name: 'ended',
    text: `update scans s set status = t.status, verdict = t.verdict, runs_succeeded = t.runs_succeeded,
        failure_cause = t.failure_cause, finished_at = s.started_at + (t.finished_at - t.started_at)
      from template_scans t where s.organization_id = $1 and s.id = any($2) and t.source_id = s.source_id`,
    values: [organizationId, ids],
  });
  return ids;
}

/** What the same scans change in rows that there are already, and their jobs. */
export async function changeWhatIsKnown(
  owner: pg.Client,
  organizationId: string,
  ids: readonly string[],
  atMs: number,
  jobsKeptMs: number,
): Promise<void> {
  const now = new Date(atMs + hourMs);
  await owner.query(
    'update findings set updated_at = $2, last_seen_at = $2 where organization_id = $1 and observed',
    [organizationId, now],
  );
  await owner.query(
    `update source_checks c set scan_ids = array_fill(s.id, array[cardinality(check_ids)]),
        looked_at = array_fill($2::timestamptz(3), array[cardinality(check_ids)])
      from scans s where s.organization_id = $1 and s.id = any($3) and c.source_id = s.source_id`,
    [organizationId, now, ids],
  );
  await owner.query(
    `update watches w set next_scan_at = $2::timestamptz + interval '1 day', last_scan_id = s.id
      from scans s where s.organization_id = $1 and s.id = any($3) and w.source_id = s.source_id`,
    [organizationId, now, ids],
  );
  await owner.query('update source_postures set low = low');
  await owner.query(
    `insert into pgboss.job_common select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'state', 'created',
        'completed_on', null, 'started_on', null, 'output', null, 'created_on', $1::timestamptz))).*
      from template_job j, generate_series(1, $2::int)`,
    [now, ids.length],
  );
  await owner.query(
    "update pgboss.job_common set state = 'active', started_on = created_on where state = 'created'",
  );
  await owner.query(
    "update pgboss.job_common set state = 'completed', completed_on = started_on where state = 'active'",
  );
  await owner.query("delete from pgboss.job_common where state = 'completed' and completed_on < $1", [
    new Date(now.getTime() - jobsKeptMs),
  ]);
}
