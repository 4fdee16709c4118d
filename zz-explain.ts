import { readFileSync } from 'node:fs';
import pg from 'pg';
import { factsByCheck, sourceScope } from './src/resources/controls/facts.ts';
import { allDetectors } from './src/detectors/catalogue.ts';
import { mapChecks, storedIdsOf } from './src/domain/control-checks.ts';
import { findingsOfChecks } from './src/resources/controls/findings.ts';
import { gapsOf, resultsBySource } from './src/resources/controls/results-of-checks.ts';
import { readOverview } from './src/resources/posture/overview.ts';
const seed = JSON.parse(readFileSync('/tmp/zz-seed.json', 'utf8'));
const ids = storedIdsOf(mapChecks(allDetectors()).get('164.312(a)(1)')!);
const c = new pg.Client({ ...seed.connection, ...seed.roles.app }); await c.connect();
await c.query("select set_config('parapet.organization_id', $1, false)", [seed.organizationId]);
let given: string[] = [];
const run = async (name: string, work: (s: any) => Promise<any>) => {
  const texts: any[] = [];
  const s = { query: async (q: any) => { texts.push(q); return (await c.query('text' in q ? { text: q.text, values: q.values } : (({ sql, parameters }) => ({ text: sql, values: parameters }))(q.compile()))).rows; } };
  const r = await work(s).catch(e => (console.log(name, String(e)), []));
  if (name === 'findings') given = [...new Set(r.map((x: any) => x.source_id))] as string[];
  if (process.argv.includes(name)) for (const q of texts) {
    const { text, values } = 'text' in q ? q : (({ sql, parameters }) => ({ text: sql, values: parameters }))(q.compile());
    const p = await c.query({ text: 'explain (analyze, buffers, costs off) ' + text, values });
    console.log('==', name); for (const row of p.rows) console.log(Object.values(row)[0]);
  }
};
await run('facts', s => factsByCheck(s));
await run('scope', s => sourceScope(s));
await run('findings', s => findingsOfChecks(s, ids, 100));
await run('gaps', s => gapsOf(s, ids, 100));
await run('by', s => resultsBySource(s, ids, ['website', 'postgres'], given, 100));
await run('overview', s => readOverview({ read: (f: any) => f(s) } as any, new Date(Date.now() - 86400000).toISOString(), { } as any));
process.exit();
