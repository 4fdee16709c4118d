import { readFileSync } from 'node:fs';
import pg from 'pg';
const seed = JSON.parse(readFileSync('/tmp/zz-seed.json', 'utf8'));
const c = new pg.Client({ ...seed.connection, ...seed.roles.app }); await c.connect();
await c.query("select set_config('parapet.organization_id', $1, false)", [seed.organizationId]);
const since = "(select ((now() at time zone 'UTC')::date - 90)::timestamp at time zone 'UTC')";
const counts = "s.status not in ('draft', 'disconnected')";
const qs: Record<string, string> = {
 now: `select kind, count(*)::int as sources, (count(*) filter (where n.source_id is null))::int as unscanned,
        (count(*) filter (where n.source_id is null and connection_mode = 'probe'))::int as unreported,
        (count(*) filter (where (n.seen_at >= ${since}) is not true))::int as unseen
      from sources s left join source_assessments n on n.source_id = s.id where ${counts} group by kind order by kind`,
 grouped: `select kind, sum(c)::int as sources, (sum(c) filter (where looked is null))::int, (sum(c) filter (where looked is null and connection_mode = 'probe'))::int, (sum(c) filter (where looked is not true))::int from (
   select kind, connection_mode, n.seen_at >= ${since} as looked, count(*) as c from sources s left join source_assessments n on n.source_id = s.id where ${counts} group by 1, 2, 3) g group by kind order by kind`,
 split: `select kind, (select 1), count(*) from sources s where ${counts} group by kind, connection_mode`,
 missing: `select kind, connection_mode, count(*) from sources s where ${counts} and not exists (select from source_assessments n where n.source_id = s.id) group by 1, 2`,
 unseen: `select s.kind, count(*) from source_assessments n join sources s on s.id = n.source_id where ${counts} and (n.seen_at >= ${since}) is not true group by 1`,
};
for (const [name, text] of Object.entries(qs)) { const ts: number[] = []; for (let i = 0; i < 21; i++) { const t = performance.now(); await c.query(text); ts.push(performance.now() - t); } ts.sort((a, b) => a - b); console.log(name, ts[10]!.toFixed(1)); }
process.exit();
