import pg from 'pg';
import { readFileSync } from 'node:fs';
const seed = JSON.parse(readFileSync('/tmp/zz-seed.json', 'utf8'));
const c = new pg.Client(seed.connection); await c.connect(); await c.query("select set_config('parapet.organization_id', $1, false)", [seed.organizationId]);
for (const q of readFileSync(0, 'utf8').split(';;')) { if (!q.trim()) continue; const t = performance.now(); const r = await c.query(q); console.log((performance.now() - t).toFixed(1), 'ms'); for (const row of r.rows ?? []) console.log(Object.values(row).join(' | ')); }
await c.end();
