import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SourceKind } from '../../src/contract/sources.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { testAuthority } from '../support/certificates.ts';
import { encodingsOf } from '../support/encodings.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
import { startLeakyWebsite } from '../support/leaky-website.ts';
import { hasMariadb, startMariadb } from '../support/mariadb.ts';
import { ProbeHome, ProbeProcess } from '../support/probe-process.ts';
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

/** Everything that the probe sends about a target, and that the service accepts. */
async function sentAbout(
  target: { readonly kind: SourceKind; readonly host: string; readonly settings: string },
  env: NodeJS.ProcessEnv = {},
): Promise<Sent> {
  const { kind, host, settings } = target;
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
  const probe = new ProbeProcess(home, { env, parameters: ['--once'] });
  expect([await probe.end(), probe.errors]).toEqual([0, '']);
  await relay.close();
  const text = relay.bodies.join('\n').toLowerCase();
  const observed = [...text.matchAll(/"check":"([a-z_.]+)","locator"/g)].map(([, check]) => check!);
  return {
    text: `${text}${home.spooled()}${probe.output.join(' ')}`.toLowerCase(),
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
    const untrusted = await sentAbout({ kind: 'mysql', host, settings }, env);
    expect(untrusted.text).toContain('"error_code":"tls_untrusted"');
    const sent = await sentAbout({ kind: 'mysql', host, settings: `${settings}\nca_file: ${caFile}` }, env);
    expect(sent.observed).toContain('mysql.password_empty');
    expectWithout(sent.text, secrets);
    await database.close();
  },
);

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
