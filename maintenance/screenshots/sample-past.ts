import type pg from 'pg';
import type { SampleService } from './sample-service.ts';

/** Tables with times. Without the audit log, whose chain cannot be changed. */
const happened = [
  'systems',
  'sources',
  'scans',
  'scan_runs',
  'findings',
  'finding_episodes',
  'source_checks',
  'memberships',
];

/** Moves everything so far this many days into the past. */
export async function moveIntoPast(service: SampleService, days: number): Promise<void> {
  await withoutIsolation(service, [...happened, 'posture_scores'], async client => {
    const { rows } = await client.query<{ table: string; changes: string }>(
      `select c.relname as table, string_agg(format(case a.atttypid
           when 'timestamptz'::regtype then '%1$I = %1$I - $1::interval'
           else '%1$I = array(select at - $1::interval from unnest(%1$I) with ordinality as a (at, place) order by place)' end,
           a.attname), ', ') as changes
         from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relname = any($1) and c.relnamespace = 'public'::regnamespace and a.attnum > 0
          and not a.attisdropped and a.attgenerated = '' and a.atttypid in ('timestamptz'::regtype, 'timestamptz[]'::regtype)
        group by 1`,
      [happened],
    );
    for (const { table, changes } of rows) {
      await client.query(`update ${table} set ${changes}`, [`${days} days`]);
    }
    await client.query(
      `update posture_scores set day = day - $1::int, recorded_at = recorded_at - $2::interval`,
      [days, `${days} days`],
    );
  });
}

/** Gives the sites names instead of local ports for the screenshots. After this, they cannot be scanned. */
export async function nameHosts(service: SampleService, hosts: ReadonlyMap<string, string>): Promise<void> {
  await withoutIsolation(service, ['sources', 'findings'], async client => {
    for (const [sourceId, name] of hosts) {
      const renamed = (column: string) =>
        `${column} = regexp_replace(${column}, 'localhost(:\\d+)?', $2, 'g')`;
      await client.query(`update sources set ${renamed('host')} where id = $1`, [sourceId, name]);
      const columns = ['locator', 'seen', 'title', 'remediation'].map(renamed).join(', ');
      await client.query(`update findings set ${columns} where source_id = $1`, [sourceId, name]);
    }
  });
}

/**
 * Prepares the screenshots: a running scan, a Watch scan due tonight, a person who was active five days ago.
 */
export async function setTheScene(service: SampleService): Promise<void> {
  await withoutIsolation(service, ['scans', 'scan_runs', 'watches', 'memberships'], async client => {
    const { rows } = await client.query<{ id: string }>(
      `update scans set status = 'running', verdict = null, finished_at = null, started_at = now() - interval '9 seconds',
          created_at = now() - interval '10 seconds', runs_succeeded = 6
        where id = (select id from scans order by created_at desc limit 1) returning id`,
    );
    await client.query(
      `update scan_runs set status = case when place = 7 then 'running' else 'queued' end, finished_at = null,
          started_at = case when place = 7 then now() end
        from (select id as run, row_number() over (order by detector) as place from scan_runs where scan_id = $1) as runs
        where id = run and place > 6`,
      [rows[0]!.id],
    );
    await client.query(`update watches set next_scan_at = now() + interval '7 hours'`);
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    // No step-up is needed during the screenshots.
    const session = `update sessions set user_agent = $1, stepped_up_at = now() + interval '10 minutes'`;
    await client.query(session, [browser]);
    await client.query(`update memberships set visited_at = now() - interval '5 days'`);
  });
}

/** Row-level security applies to the database owner too; this disables it temporarily for these tables. */
async function withoutIsolation(
  service: SampleService,
  tables: readonly string[],
  work: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  await service.asOwner(async client => {
    await client.query('begin');
    for (const table of tables) await client.query(`alter table ${table} no force row level security`);
    await work(client);
    for (const table of tables) await client.query(`alter table ${table} force row level security`);
    await client.query('commit');
  });
}
