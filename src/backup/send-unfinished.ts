import type pg from 'pg';

/**
 * Sends the jobs of scans that had not ended, since a backup has none: what they have to do follows from the scans and their runs. Scans of
 * probes have no jobs.
 */
export async function sendUnfinished(owner: pg.ClientBase): Promise<void> {
  const { rows: organizations } = await owner.query<{ id: string }>(
    `select distinct organization_id as id from scans where status in ('queued', 'running')`,
  );
  for (const { id } of organizations) {
    await owner.query(`select set_config('parapet.organization_id', $1, true)`, [id]);
    await owner.query(
      `with unfinished as (
        select s.id, s.status, s.source_id, s.profile = 'safe_all_surfaces' as is_safe from scans s
          where organization_id = $1 and status in ('queued', 'running') and not is_own
            and not exists (select from probe_assessments a where a.organization_id = $1 and a.scan_id = s.id)
      ), inspections as (
        select id, source_id, is_safe from unfinished where status = 'queued' and is_safe and source_id is not null
        union
        select u.id, r.source_id, is_safe from unfinished u
          join scan_runs r on r.organization_id = $1 and r.scan_id = u.id and r.status in ('queued', 'running')
          where u.status = 'running'
      ), jobs as (
        select 'scan-plan' as queue, jsonb_build_object('organizationId', $1::text, 'scanId', id) as job
          from unfinished where status = 'queued' and not (is_safe and source_id is not null)
        union all
        select case when is_safe then 'scan-inspect' else 'scan-inspect-full' end,
            jsonb_build_object('organizationId', $1::text, 'scanId', id, 'sourceId', source_id) from inspections
      )
      select send_jobs(queue, jsonb_agg(job)) from jobs group by queue`,
      [id],
    );
  }
  await owner.query(`select set_config('parapet.organization_id', '', true)`);
}
