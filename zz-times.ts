import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { addPerson } from './test/support/people.ts';
import { seededMasterKey } from './bench/fixture/large-organization.ts';
import { openStorage } from './bench/fixture/scans.ts';
import { timeRequest } from './bench/measurements/page-requests.ts';
import { startProduct } from './bench/servers/start.ts';
const seed = JSON.parse(readFileSync('/tmp/zz-seed.json', 'utf8'));
import pg from 'pg';
const own = new pg.Client(seed.connection); await own.connect();
const storage = await openStorage(seed);
const server = await startProduct({ name: 'pages', directory: seed.directory, databaseUrl: seed.url, masterKey: Buffer.alloc(32, 7).toString('base64'), env: { PARAPET_LOST_MASTER_KEYS: seededMasterKey + ',fdf31995809dc13b,23db2e40826a2ca4,c5086c4c2f32dc00' } });
const url = `http://localhost:${server.port}`;
const person = await addPerson({ url, storage }, seed.organizationId, 'owner');
const visitor = { url, cookie: person.client.cookie! };
const processes = { server: server.pid, postmaster: seed.postmaster };
const base = `/organizations/${seed.organizationId}`;
for (const path of process.argv.slice(2)) {
  const t = await timeRequest(visitor, base + path, 20, processes);
  console.log(path, JSON.stringify(t));
}
await own.query("delete from totp_secrets").catch(String); await server.stop(); await storage.close(0); process.exit();
