import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SourceKind } from '../../src/contract/sources.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { testAuthority } from '../support/certificates.ts';
import { encodingsOf } from '../support/encodings.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
import { startLeakyWebsite } from '../support/leaky-website.ts';
import { hasMariadb, startMariadb } from '../support/mariadb.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { ProbeHome, ProbeProcess } from '../support/probe-process.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { startSupabaseProject } from '../support/supabase-project.ts';
import { httpServer } from '../support/website.ts';

const folder = mkdtempSync(join(tmpdir(), 'parapet-targets-'));
const authority = testAuthority();
const certificate = authority.issue();
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, authority.root);

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => rmSync(folder, { recursive: true }));

const secret = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;

interface Sent {
  readonly text: string;
  /** Checks with an observation. */
  readonly observed: readonly string[];
}

/**
 * Everything that the probe sends about a target, and that the service accepts.
 *
 * @param change after which it assesses the target again
 */
async function sentAbout(
  target: {
    readonly kind: SourceKind;
    readonly host: string;
    readonly settings: string;
    readonly failure?: string;
  },
  env: NodeJS.ProcessEnv = {},
  change?: () => Promise<unknown>,
): Promise<Sent> {
  const { kind, host, settings, failure } = target;
  const source = await authorizedSource(service, { kind, connection_mode: 'probe', host });
  const { organizationId, systemId, sourceId } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const relay = await FaultyRelay.start(service.url);
  const targets = `
  - name: target
    kind: ${kind}
    source: ${sourceId}
    host: ${host}
${settings.replace(/^/gm, '    ')}`;
  const home = new ProbeHome({ url: relay.url, key, targets });
  const output: string[] = [];
  const assess = async () => {
    const probe = new ProbeProcess(home, { env, parameters: ['--once'] });
    const expected = failure ? [2, `parapet-probe: not assessed: target (${failure})\n`] : [0, ''];
    expect([await probe.end(), probe.errors]).toEqual(expected);
    output.push(...probe.output);
  };
  await assess();
  if (change) {
    await change();
    await assess();
  }
  await relay.close();
  const text = relay.bodies.join('\n').toLowerCase();
  const observed = [...text.matchAll(/"check":"([a-z_.]+)","locator"/g)].map(([, check]) => check!);
  return {
    text: `${text}${home.spooled()}${output.join(' ')}`.toLowerCase(),
    observed,
  };
}

function expectWithout(text: string, secrets: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(secrets)) {
    expect(
      encodingsOf(value).filter(encoded => text.includes(encoded)),
      name,
    ).toEqual([]);
  }
}

it('sends no secret of a website, however it is encoded', async () => {
  const site = await startLeakyWebsite();
  const host = `http://127.0.0.1:${site.port}`;
  const settings = 'header: x-api-key\nheader_value_env: SHOP_KEY';
  const sent = await sentAbout({ kind: 'website', host, settings }, { SHOP_KEY: site.secrets.header });
  expect(site.served.has(site.secrets.header)).toBe(true);
  expect(sent.observed).toEqual(
    expect.arrayContaining([
      ...['exposure.secrets_file', 'exposure.version_control', 'exposure.source_map', 'exposure.backup'],
      ...['exposure.phpinfo', 'exposure.server_status', 'headers.debug', 'page.error_details'],
      ...['cookies.session_not_secure', 'transport.password_over_http', 'csp.broad_source'],
    ]),
  );
  expectWithout(sent.text, site.secrets);
  await site.close();
});

it('reports at once that a target fails for another reason', async () => {
  const source = await authorizedSource(service, {
    kind: 'postgres',
    connection_mode: 'probe',
    host: '127.0.0.1:1',
  });
  const key = await service.mint(source.organizationId, { kind: 'probe', systemId: source.systemId });
  const relay = await FaultyRelay.start(service.url);
  const password = join(mkdtempSync(join(folder, 'secrets-')), 'password');
  const targets = `
  - { name: target, kind: postgres, source: ${source.sourceId}, host: "127.0.0.1:1", user: u, password_file: "${password}" }`;
  // No heartbeat is due while this runs.
  const home = new ProbeHome({ url: relay.url, key, targets, more: 'heartbeat: 1d' });
  const causes = () =>
    relay.bodies
      .flatMap(body => JSON.parse(body).events)
      .filter(({ kind }) => kind === 'probe.heartbeat')
      .map(({ targets: [target] }) => target.error_code);
  const runUntil = async (cause: string) => {
    const probe = new ProbeProcess(home);
    try {
      await expect.poll(causes, { timeout: 20_000 }).toContain(cause);
    } finally {
      probe.child.kill('SIGTERM');
      await probe.end();
    }
  };
  await runUntil('credential_missing');
  writeFileSync(password, 'p', { mode: 0o600 });
  await runUntil('connection_refused');
  await relay.close();
});

it('follows no redirect to another port of a private website', async () => {
  const internal: string[] = [];
  const other = await httpServer((request, response) => {
    internal.push(request.url ?? '');
    response.end();
  });
  let visits = 0;
  const site = await httpServer((_, response) => {
    visits += 1;
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/admin?delete=all` }).end();
  });
  const host = `http://127.0.0.1:${site.port}`;
  await sentAbout({ kind: 'website', host, settings: 'every: 1h' });
  expect([visits > 0, internal]).toEqual([true, []]);
  const settings = 'networks: [127.0.0.1/32]';
  await sentAbout({ kind: 'website', host, settings });
  expect(internal).toContain('/admin?delete=all');
  await site.close();
  await other.close();
});

it.runIf(hasMariadb())(
  'assesses MariaDB over TLS of an internal authority, and sends no secret of it',
  async () => {
    const secrets = {
      password: secret('password'),
      other: secret('other'),
      row: secret('row'),
      code: secret('code'),
      comment: secret('comment'),
      columnDefault: secret('default'),
      view: secret('view'),
      event: secret('event'),
    };
    const database = await startMariadb(certificate, [
      `create user watcher@'%' identified by '${secrets.password}'`,
      `grant all on *.* to watcher@'%'`,
      `create user careless@'%'`,
      `create user clerk@'%' identified by '${secrets.other}'`,
      'create database shop',
      `create table shop.patients (id int, name text default '${secrets.columnDefault}') comment '${secrets.comment}'`,
      `insert into shop.patients values (1, '${secrets.row}')`,
      `create view shop.everyone as select '${secrets.view}' as k from shop.patients`,
      `create procedure shop.log_in() sql security definer select '${secrets.code}'`,
      `create event shop.nightly on schedule every 1 day do select '${secrets.event}'`,
    ]);
    const host = `127.0.0.1:${database.port}`;
    const env = { SHOP_PASSWORD: secrets.password };
    const settings = `user: watcher\npassword_env: SHOP_PASSWORD\ndatabase: shop`;
    const failure = 'tls_untrusted';
    const untrusted = await sentAbout({ kind: 'mysql', host, settings, failure }, env);
    expect(untrusted.text).toContain(`"error_code":"${failure}"`);
    const sent = await sentAbout({ kind: 'mysql', host, settings: `${settings}\nca_file: ${caFile}` }, env);
    expect(sent.observed).toContain('mysql.password_empty');
    expectWithout(sent.text, secrets);
    await database.close();
  },
);

it.runIf(hasRedis())(
  'assesses Redis over TLS of an internal authority, and sends no secret of it',
  async () => {
    const secrets = {
      password: secret('password'),
      other: secret('other'),
      primary: secret('primary'),
      value: secret('value'),
      key: secret('key'),
    };
    const database = await startRedis(
      `port 0
tls-port {port}
tls-cert-file {folder}/server.crt
tls-key-file {folder}/server.key
tls-ca-cert-file {folder}/server.crt
tls-auth-clients no
masterauth ${secrets.primary}
user default on nopass ~* &* +@all
user watcher on >${secrets.password} +ping +info +config|get +acl|list +module|list
user clerk on >${secrets.other} ~clinic:* +@all`,
      certificate,
    );
    await database.run(`SET ${secrets.key} ${secrets.value}`);
    const host = `127.0.0.1:${database.port}`;
    const env = { CACHE_PASSWORD: secrets.password };
    const settings = 'user: watcher\npassword_env: CACHE_PASSWORD';
    const failure = 'tls_untrusted';
    const untrusted = await sentAbout({ kind: 'redis', host, settings, failure }, env);
    expect(untrusted.text).toContain(`"error_code":"${failure}"`);
    const change = () => database.run('ACL SETUSER later on >x ~* +@all');
    const trusted = `${settings}\nca_file: ${caFile}`;
    const sent = await sentAbout({ kind: 'redis', host, settings: trusted }, env, change);
    expect(sent.observed).toEqual(
      expect.arrayContaining(['redis.no_password', 'redis.user_administrative', 'redis.version_end_of_life']),
    );
    expect(sent.text).toContain('"name":"later","change":"added"');
    const hashes = Object.entries(secrets).map(
      ([name, value]) => [`hash of ${name}`, createHash('sha256').update(value).digest('hex')] as const,
    );
    expectWithout(`${untrusted.text}${sent.text}`, { ...secrets, ...Object.fromEntries(hashes) });
    await database.close();
  },
);

it.runIf(hasRedis())('assesses a Redis without a login, as the default user', async () => {
  const database = await startRedis();
  const host = `127.0.0.1:${database.port}`;
  const sent = await sentAbout({ kind: 'redis', host, settings: 'tls: off' });
  expect(sent.observed).toEqual(expect.arrayContaining(['redis.no_password', 'redis.plaintext_allowed']));
  await database.close();
});

it('masks secrets in names of a database, in findings and changes', async () => {
  const secrets = {
    password: secret('password'),
    url: 'hunter2secret',
    stripe: randomBytes(12).toString('hex'),
    aws: 'Q3EGRSLMN2OPUVWX',
    later: 'later-secret',
  };
  const database = await startPostgresServer(certificate, [
    `create role watcher login password '${secrets.password}'`,
    'grant pg_monitor to watcher',
    "create role admin_of_it login superuser password 'x'",
    `create table "conn postgres://svc:${secrets.url}@10.0.0.5/db" (id int)`,
    `grant all on "conn postgres://svc:${secrets.url}@10.0.0.5/db" to public`,
    `create role "sk_live_${secrets.stripe}" login`,
    `create function "AKIA${secrets.aws}"() returns int security definer language sql as 'select 1'`,
  ]);
  const host = `127.0.0.1:${database.port}`;
  const settings = 'user: watcher\npassword_env: SHOP_PASSWORD\ndatabase: postgres\ntls: off';
  const change = async () => {
    const login = { host: '127.0.0.1', port: database.port, database: 'postgres' };
    const client = new pg.Client({ ...login, user: 'admin_of_it', password: 'x' });
    await client.connect();
    const name = `"conn postgres://svc:${secrets.later}@10.0.0.5/db"`;
    await client.query(`create table ${name} (id int); grant all on ${name} to public`);
    await client.end();
  };
  const env = { SHOP_PASSWORD: secrets.password };
  const sent = await sentAbout({ kind: 'postgres', host, settings }, env, change);
  const mask = '\\[masked:[0-9a-f]{8}\\]';
  const masked = `conn postgres://svc:(${mask})@10.0.0.5/db`;
  const locators = new RegExp(
    `"check":"postgres.public_table_write","locator":"table public.${masked}"`,
    'g',
  );
  const names = new Set([...sent.text.matchAll(locators)].map(([, name]) => name));
  expect(names.size, 'two tables, the first assessed twice').toBe(2);
  const drift = new RegExp(`"name":"table public[^"]+"+${masked}[^"]+"+,"change":"added"`);
  expect(names).toContain(drift.exec(sent.text)?.[1]);
  for (const name of [`role sk_live_${mask}`, `public...akia${mask}..\\(\\)`]) {
    expect(sent.text).toMatch(new RegExp(`"locator":"${name}"`));
  }
  expectWithout(sent.text, secrets);
  await database.close();
});

it('assesses a Supabase project over TLS of an internal authority, and sends no secret of it', async () => {
  const secrets = { row: secret('row'), condition: secret('condition') };
  const project = await startSupabaseProject(
    certificate,
    [
      'create table public.patients (id int, full_name text)',
      `insert into public.patients values (1, '${secrets.row}')`,
      'grant all on public.patients to anon',
      'create table public.notes (id int, owner text)',
      'grant all on public.notes to anon',
      'alter table public.notes enable row level security',
      `create policy own on public.notes to anon using (owner <> '${secrets.condition}')`,
    ],
    { gateway: true, meta: true, authSettings: {} },
  );
  const keys = { serviceKey: project.serviceKey, anonKey: project.anonKey };
  const settings = `key_env: SERVICE_KEY\nanon_key_env: ANON_KEY\nca_file: ${caFile}`;
  const host = `127.0.0.1:${project.port}`;
  const env = { SERVICE_KEY: keys.serviceKey, ANON_KEY: keys.anonKey };
  const sent = await sentAbout({ kind: 'supabase', host, settings }, env);
  expect(sent.observed.length).toBeGreaterThan(0);
  expectWithout(sent.text, { ...secrets, ...keys });
  await project.close();
});
