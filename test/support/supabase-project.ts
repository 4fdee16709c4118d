import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import pg from 'pg';
import { startPostgresServer } from './postgres-server.ts';
import { httpsServer } from './website.ts';

/** Answers like the parts of a Supabase project, using a PostgreSQL whose roles decide what is visible. */
export interface SupabaseProject {
  readonly port: number;
  readonly serviceKey: string;
  readonly anonKey: string;
  /** `METHOD path` and the role, in the order received. */
  readonly requests: readonly { readonly line: string; readonly role: string; readonly apikey: string }[];
  /** Runs SQL as the owner of the tables. */
  run(statements: string): Promise<void>;
  close(): Promise<void>;
}

interface ProjectOptions {
  /** A gateway that requires a key, as in every project except a bare PostgREST, is in front of the REST API. */
  readonly gateway: boolean;
  /** postgres-meta answers at /pg/, as in self-hosted projects. */
  readonly meta: boolean;
  /** The configuration of the Auth server. */
  readonly authSettings: object;
  /** The schemas that PostgREST exposes, the default first. Default `public`. */
  schemas?: readonly string[];
  /** Answers some requests itself, like a firewall in front of the project. @returns whether it answered */
  block?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

const password = 'S3cret-authenticator';
/**
 * Creates everything else. Objects created by a single-user server have system ids, to which row security does not
 * apply.
 */
const maker = `create role maker superuser login password '${password}'`;
const roles = [
  'create role anon nologin',
  'create role authenticated nologin',
  'create role service_role nologin bypassrls',
  `create role authenticator login noinherit password '${password}'`,
  'grant anon, authenticated, service_role to authenticator',
  'create schema storage',
  'create table storage.buckets (id text, name text, public boolean, allowed_mime_types text[])',
  'grant usage on schema storage, public to service_role, anon',
  'grant select on storage.buckets to service_role',
  'alter default privileges in schema public grant all on tables to service_role',
];

/** The catalogs as postgres-meta returns them. */
const metaQueries: Record<string, string> = {
  tables: `select n.nspname as schema, c.relname as name, c.relrowsecurity as rls_enabled
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p')`,
  'table-privileges': `select n.nspname as schema, c.relname as name, (select json_agg(json_build_object(
      'grantee', coalesce(r.rolname, 'PUBLIC'), 'privilege_type', a.privilege_type))
      from aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee) as privileges
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p', 'v')`,
  policies: `select schemaname as schema, tablename as table, permissive as action, to_json(roles) as roles,
      cmd as command, qual as definition, with_check as check from pg_policies where schemaname = 'public'`,
};

/** @param statements SQL that creates the tables */
export async function startSupabaseProject(
  certificate: { readonly chain: string; readonly key: string },
  statements: readonly string[],
  options: ProjectOptions,
): Promise<SupabaseProject> {
  const secret = randomBytes(32);
  const keyFor = (role: string) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: 'supabase', role })}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const keys = { [keyFor('service_role')]: 'service_role', [keyFor('anon')]: 'anon' };
  const [serviceKey = '', anonKey = ''] = Object.keys(keys);
  const database = await startPostgresServer(certificate, [maker]);
  const logIn = async (user: string) => {
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: database.port, user, password, database: 'postgres' },
    });
    await client.connect();
    return client;
  };
  const making = await logIn('maker');
  for (const statement of [...roles, ...statements]) await making.query(statement);
  const client = await logIn('authenticator');
  const requests: { line: string; role: string; apikey: string }[] = [];

  /** Runs a query like PostgREST: in a read-only transaction with the request's role. */
  async function as(role: string, text: string): Promise<Record<string, unknown>[]> {
    await client.query(`begin read only; set local role ${role}`);
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.query('rollback');
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://project');
    const apikey = String(request.headers.apikey ?? '');
    const bearer = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const role = keys[bearer] ?? 'anon';
    requests.push({ line: `${request.method} ${request.url}`, role, apikey });
    const say = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(JSON.stringify(body));
    };
    const privileged = pathname === '/rest/v1/' || pathname.startsWith('/pg/');
    if (options.gateway && keys[apikey] === undefined)
      return say(401, { message: 'No API key found in request' });
    if (options.gateway && privileged && keys[apikey] !== 'service_role')
      return say(403, { message: 'Forbidden' });
    if (bearer !== '' && keys[bearer] === undefined) return say(401, { code: 'PGRST301' });
    const exposed = options.schemas ?? ['public'];
    const schema = String(request.headers['accept-profile'] ?? exposed[0]);
    if (pathname.startsWith('/rest/v1/') && !exposed.includes(schema)) {
      const message = `The schema must be one of the following: ${exposed.join(', ')}`;
      return say(406, { code: 'PGRST106', message, details: null, hint: null });
    }
    if (pathname === '/rest/v1/')
      return say(200, await describe(role, schema), { 'content-type': 'application/openapi+json' });
    const [, table] = /^\/rest\/v1\/([^/]+)$/.exec(pathname) ?? [];
    if (table !== undefined) return sayRows([schema, decodeURIComponent(table)], searchParams, role, say);
    if (pathname === '/storage/v1/bucket') return say(200, await as(role, 'select * from storage.buckets'));
    if (pathname === '/auth/v1/settings') return say(200, options.authSettings);
    const query = options.meta ? metaQueries[pathname.replace('/pg/', '')] : undefined;
    return query === undefined ? say(404, {}) : say(200, await as(role, query));
  }

  async function describe(role: string, schema: string): Promise<object> {
    const columns = await as(
      role,
      `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0
       and (has_table_privilege(c.oid, 'select, insert, update, delete') or has_any_column_privilege(c.oid, 'select'))`,
    );
    const names = [...new Set(columns.map(({ table }) => String(table)))];
    const of = (name: string) =>
      columns.filter(({ table }) => table === name).map(({ column }) => [column, {}]);
    return {
      swagger: '2.0',
      paths: {
        '/': { get: {} },
        '/rpc/f': { post: {} },
        ...Object.fromEntries(names.map(name => [`/${name}`, { get: {} }])),
      },
      definitions: Object.fromEntries(
        names.map(name => [name, { properties: Object.fromEntries(of(name)) }]),
      ),
    };
  }

  async function sayRows(
    table: readonly string[],
    query: URLSearchParams,
    role: string,
    say: (status: number, body: unknown, headers?: Record<string, string>) => void,
  ) {
    try {
      const from = table.map(part => pg.escapeIdentifier(part)).join('.');
      const limit = Number(query.get('limit'));
      const rows = await as(role, `select ${query.get('select') ?? '*'} from ${from} limit ${limit}`);
      say(200, rows, { 'content-range': rows.length === 0 ? '*/*' : '0-0/*' });
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '42P01') say(404, { code: 'PGRST205' });
      else if (code === '42501') say(role === 'anon' ? 401 : 403, { code });
      else say(500, { code });
    }
  }

  const server = await httpsServer({ key: certificate.key, cert: certificate.chain }, (request, response) => {
    if (options.block?.(request, response)) return;
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  return {
    ...{ port: server.port, serviceKey, anonKey, requests },
    run: async text => {
      await making.query(text);
    },
    close: async () => {
      await server.close();
      await making.end();
      await client.end();
      await database.close();
    },
  };
}
