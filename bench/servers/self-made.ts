import { createHash, timingSafeEqual } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import pg from 'pg';
import { FindingList } from '../../src/contract/findings.ts';
import { connectionFromUrl } from '../../src/database/connection-url.ts';

// A minimal service for comparison: a bearer token, a rate limit in memory, a nonce in a table, and a query
// that names the organization. No signature, no row-level security, and limits per process only.

const app = fastify({ logger: true });
const pool = new pg.Pool({ ...connectionFromUrl(process.env.DATABASE_URL!), max: 10 });
await pool.query(`create table if not exists self_made_nonces (
  key_id uuid, nonce text, created_at timestamptz not null default now(), primary key (key_id, nonce))`);

interface Key {
  readonly id: string;
  readonly organization_id: string;
  readonly token_hash: Buffer;
}
const keys = new Map<string, Key>();
const { rows } = await pool.query<Key>('select id, organization_id, token_hash from api_keys');
for (const key of rows) keys.set(key.token_hash.toString('hex'), key);

declare module 'fastify' {
  interface FastifyRequest {
    selfMadeKey: Key;
  }
}

app.addHook('onRequest', async (request, reply) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const hash = createHash('sha256').update(token).digest();
  const key = keys.get(hash.toString('hex'));
  if (!key || !timingSafeEqual(key.token_hash, hash)) return reply.code(401).send({ error: 'Unauthorized' });
  request.selfMadeKey = key;
});
await app.register(rateLimit, {
  max: 60,
  timeWindow: '1 minute',
  cache: 50_000,
  keyGenerator: request => request.selfMadeKey.id,
});

app.get('/findings', { schema: { response: { 200: FindingList } } }, async (request, reply) => {
  const key = request.selfMadeKey;
  const spent = await pool.query({
    name: 'spend-nonce',
    text: 'insert into self_made_nonces (key_id, nonce) values ($1, $2) on conflict do nothing',
    values: [key.id, request.headers['x-nonce']],
  });
  if (spent.rowCount === 0) return reply.callNotFound();
  const list = await pool.query({
    name: 'list-findings',
    text: `select id, severity, category, title, remediation, status, created_at, updated_at, system_id
      from findings where organization_id = $1 order by created_at desc, id desc limit 20`,
    values: [key.organization_id],
  });
  return { findings: list.rows, next_cursor: null };
});

app.log.info({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }, 'ready');
process.once('SIGTERM', () => {
  app.server.closeAllConnections();
  void app.close().then(() => pool.end());
});
