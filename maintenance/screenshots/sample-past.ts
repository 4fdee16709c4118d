import type { SampleService } from './sample-service.ts';
import type { SampleSite } from './sample-sites.ts';

/** Everything that has happened so far happened so many days earlier. The audit log alone stays: its chain is sealed. */
export async function moveIntoPast(service: SampleService, days: number): Promise<void> {
  await service.asOwner(async client => {
    const { rows } = await client.query<{ table: string; changes: string }>(
      `select c.relname as table, string_agg(format('%I = %I - $1::interval', a.attname, a.attname), ', ') as changes
         from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '' and a.atttypid = 'timestamptz'::regtype
          and c.relname in ('systems', 'sources', 'scans', 'scan_runs', 'findings', 'finding_episodes', 'memberships',
            'people', 'check_assessments')
        group by 1`,
    );
    // The owner too is held to one organization a transaction; for this once it is not.
    await client.query('begin');
    for (const { table, changes } of rows) {
      await client.query(`alter table ${table} no force row level security`);
      await client.query(`update ${table} set ${changes}`, [`${days} days`]);
      await client.query(`alter table ${table} force row level security`);
    }
    await client.query('alter table posture_scores no force row level security');
    await client.query(
      "update posture_scores set day = day - $1::int, recorded_at = recorded_at - $1::int * interval '1 day'",
      [days],
    );
    await client.query('alter table posture_scores force row level security');
    await client.query('commit');
  });
}

/** Sites of pictures have names; those of this machine have ports. */
export async function nameHosts(service: SampleService, sites: readonly SampleSite[]): Promise<void> {
  const names = ['portal.harbourview.example', 'www.harbourview.example', 'booking.harbourview.example'];
  const columns = [
    ['sources', 'host'],
    ['findings', 'locator'],
    ['findings', 'seen'],
    ['findings', 'title'],
    ['findings', 'remediation'],
  ];
  await service.asOwner(async client => {
    await client.query('begin');
    for (const [table, column] of columns) {
      await client.query(`alter table ${table} no force row level security`);
      for (const [index, { host }] of sites.entries()) {
        await client.query(`update ${table} set ${column} = replace(${column}, $1, $2)`, [
          host,
          names[index],
        ]);
      }
      await client.query(`alter table ${table} force row level security`);
    }
    await client.query('commit');
  });
}
