import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { checksMissing, findingsOf, liveScan } from '../../../test/support/live-scan.ts';
import { type SupabaseProject, startSupabaseProject } from '../../../test/support/supabase-project.ts';
import { httpsServer, loopbackGuard, type TestServer } from '../../../test/support/website.ts';
import type { SupabaseCapture } from '../../captures/supabase.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { collectSupabase } from './collect.ts';

const authority = testAuthority();
const certificate = authority.issue({ covers: ['127.0.0.1'] });

function collect(
  port: number,
  key: string,
  options: { readonly anonKey?: string; readonly budgetMs?: number } = {},
): Promise<SupabaseCapture> {
  const { anonKey, budgetMs = 20_000 } = options;
  const host = `127.0.0.1:${port}`;
  return collectSupabase(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    userAgent: 'Parapet/test',
    trustedRoots: [authority.root],
    budgetMs,
    credential: {
      type: 'service_role',
      url: `https://${host}`,
      key,
      ...(anonKey === undefined ? {} : { anon_key: anonKey }),
    },
  });
}

const findings = (capture: SupabaseCapture) => findingsOf(liveScan(detectorsFor('supabase'), capture));

const careless = [
  'create table public.news (id int, headline text)',
  "insert into public.news values (1, 'S3cret-row')",
  'grant select on public.news to anon',
  'create table public.patients (id int, full_name text)',
  "insert into public.patients values (1, 'S3cret-row')",
  'grant all on public.patients to anon',
  'create table public."Odd name" (id int, "homeAddress" text, email text)',
  'insert into public."Odd name" values (1)',
  'grant select on public."Odd name" to public',
  'create table public.notes (id int, owner text)',
  "insert into public.notes values (1, 'S3cret-row')",
  'grant all on public.notes to anon',
  'alter table public.notes enable row level security',
  'create view public.all_notes as select * from public.notes',
  'grant select on public.all_notes to anon',
  'create table public.feedback (id int, message text)',
  "insert into public.feedback values (1, 'S3cret-row')",
  'grant all on public.feedback to anon',
  'alter table public.feedback enable row level security',
  'create policy form on public.feedback for insert to anon with check (true)',
  'create table public.ledger (id int)',
  'insert into public.ledger values (1)',
  "insert into storage.buckets values ('1', 'documents', true, null), ('2', 'avatars', true, '{image/png}'), ('3', 'inbox', false, null)",
];
const open = {
  disable_signup: false,
  mailer_autoconfirm: true,
  phone_autoconfirm: false,
  external: { email: true, phone: false },
};
const readable = [
  'supabase.table_readable_by_anon Odd name critical',
  'supabase.table_readable_by_anon all_notes high',
  'supabase.table_readable_by_anon news low',
  'supabase.table_readable_by_anon patients critical',
];
const writable = [
  'supabase.table_writable_by_anon public.feedback medium',
  'supabase.table_writable_by_anon public.patients critical',
];
const others = [
  'supabase.bucket_public avatars info',
  'supabase.bucket_public documents medium',
  'supabase.sign_up_unconfirmed email low',
];

describe('a misconfigured project behind a gateway', () => {
  let project: SupabaseProject;
  beforeAll(async () => {
    project = await startSupabaseProject(certificate, careless, {
      gateway: true,
      meta: true,
      authSettings: open,
    });
  });
  afterAll(() => project?.close());

  it('reports exactly its flaws', async () => {
    const capture = await collect(project.port, project.serviceKey, { anonKey: project.anonKey });
    expect(findings(capture)).toEqual({
      seen: [...readable, ...writable, ...others].sort(),
      notAssessed: new Map(),
    });
    const text = JSON.stringify(capture);
    for (const secret of ['S3cret-row', project.serviceKey, project.anonKey])
      expect(text).not.toContain(secret);
  });

  it('is only read, and as an anonymous user without rows and the service key', async () => {
    const before = project.requests.length;
    await collect(project.port, project.serviceKey, { anonKey: project.anonKey });
    const requests = project.requests.slice(before);
    expect(requests.filter(({ line }) => !/^(?:GET|HEAD) /.test(line))).toEqual([]);
    const ofTables = requests.filter(({ line }) => /\/rest\/v1\/./.test(line));
    // For the table that refuses, its error and its column are requested too.
    expect(ofTables.length).toBe(3 + 7 + 2);
    for (const { line, role, apikey } of ofTables) {
      expect(line).toMatch(/^HEAD |^GET .+&limit=0$/);
      expect([role, apikey === project.serviceKey]).toEqual(['anon', false]);
    }
    expect(requests.length).toBeLessThanOrEqual(22);
  });

  it('does not pass checks that need the anonymous key without it', async () => {
    const { seen, notAssessed } = findings(await collect(project.port, project.serviceKey));
    expect(seen).toEqual([...writable, ...others].sort());
    expect([...notAssessed.keys()]).toEqual(['supabase.table_readable_by_anon']);
    expect(notAssessed.get('supabase.table_readable_by_anon')).toContain('anon_key');
  });

  it('is never sent an invalid anonymous key', async () => {
    for (const anonKey of [project.serviceKey, 'sb_secret_123', 'x.y.z', 'a\r\nb']) {
      const { notAssessed } = findings(await collect(project.port, project.serviceKey, { anonKey }));
      expect(notAssessed.get('supabase.table_readable_by_anon')).toMatch(
        /is not an anonymous or publishable key/,
      );
    }
    const { notAssessed } = findings(
      await collect(project.port, project.serviceKey, { anonKey: 'sb_publishable_unknown' }),
    );
    expect(notAssessed.get('supabase.table_readable_by_anon')).toMatch(/rejects the stored anon_key/);
  });

  it('rejects a key of another project', async () => {
    await expect(collect(project.port, 'sb_secret_wrong')).rejects.toMatchObject({
      errorCode: 'auth_failed',
    });
  });
});

describe('a well-configured project', () => {
  it('has no findings, and reports what it does not show', async () => {
    const statements = [
      'create table public.patients (id int, email text)',
      "insert into public.patients values (1, 'S3cret-row')",
      'grant all on public.patients to anon',
      'alter table public.patients enable row level security',
      'create table public.ledger (id int)',
      'insert into public.ledger values (1)',
    ];
    const authSettings = { ...open, mailer_autoconfirm: false };
    const options = { gateway: true, meta: true, authSettings };
    const project = await startSupabaseProject(certificate, statements, options);
    const scan = async () =>
      findings(await collect(project.port, project.serviceKey, { anonKey: project.anonKey }));
    try {
      expect(await scan()).toEqual({ seen: [], notAssessed: new Map() });
      options.meta = false;
      const { seen, notAssessed } = await scan();
      expect(seen).toEqual([]);
      expect([...notAssessed.keys()]).toEqual(['supabase.table_writable_by_anon']);
      expect(notAssessed.get('supabase.table_writable_by_anon')).toMatch(/source of kind postgres/);
    } finally {
      await project.close();
    }
  });
});

describe('a REST API without a gateway', () => {
  it('is requested without a key', async () => {
    const options = { gateway: false, meta: false, authSettings: open };
    const project = await startSupabaseProject(certificate, careless, options);
    try {
      const { seen } = findings(await collect(project.port, project.serviceKey));
      expect(seen).toEqual([...readable, ...others].sort());
      const ofTables = project.requests.filter(({ line }) => /\/rest\/v1\/./.test(line));
      expect(ofTables.every(({ apikey }) => apikey === '')).toBe(true);
    } finally {
      await project.close();
    }
  });
});

describe('a target that is not a project, or a hostile one', () => {
  const servers: TestServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(server => server.close()));
  });
  async function serving(handler: RequestListener): Promise<number> {
    const server = await httpsServer({ key: certificate.key, cert: certificate.chain }, handler);
    servers.push(server);
    return server.port;
  }
  const failure = (port: number, budgetMs?: number) =>
    collect(port, 'sb_secret_1', budgetMs === undefined ? {} : { budgetMs }).then(
      () => 'capture',
      error => error.errorCode,
    );

  it('fails with a code', async () => {
    expect(await failure(await serving((_, response) => response.end('<p>Hello')))).toBe('protocol_invalid');
    expect(await failure(await serving((_, response) => response.writeHead(540).end()))).toBe('http_error');
    expect(await failure(await serving(() => {}), 300)).toBe('timeout');
  });

  it('gets the key only at its own origin', async () => {
    const elsewhere = await serving(() => expect.unreachable('the key was sent to another origin'));
    const port = await serving((_, response) => {
      response.writeHead(302, { location: `https://127.0.0.1:${elsewhere}/` }).end();
    });
    expect(await failure(port)).toBe('protocol_invalid');
  });

  it('stays within the limits, however much it sends', async () => {
    let requests = 0;
    const paths = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`/t${index}`, { get: {} }]),
    );
    const port = await serving((request, response) => {
      requests += 1;
      const isRoot = request.url === '/rest/v1/';
      const status = /no_such/.test(request.url ?? '') ? 404 : 200;
      response.writeHead(status, { 'content-type': 'application/json', 'content-range': '0-0/*' });
      if (isRoot) response.end(JSON.stringify({ swagger: '2.0', paths }));
      else if (request.method === 'HEAD') response.end();
      else response.end(`[${'{"name":"a"},'.repeat(400_000)}{}]`);
    });
    const capture = await collect(port, 'sb_secret_1');
    expect(capture.tables).toMatchObject({ assessed: true, value: { truncated: true } });
    expect(capture.buckets.assessed).toBe(false);
    expect(requests).toBeLessThanOrEqual(110);
    const { notAssessed } = findings(capture);
    expect(notAssessed.has('supabase.table_readable_by_anon')).toBe(true);
  });

  it('may send JSON of any shape', async () => {
    for (const nonsense of [
      'null',
      '[]',
      '"x"',
      '{"swagger":1}',
      '[null,[1],{"name":{}}]',
      '['.repeat(100_000),
    ]) {
      const port = await serving((_, response) => {
        response.setHeader('content-type', 'application/json').end(nonsense);
      });
      const outcome = await collect(port, 'sb_secret_1').then(findings, error => error.errorCode);
      expect(outcome === 'protocol_invalid' || outcome.seen.length === 0).toBe(true);
    }
  });
});

it('has every request in the documentation', async () => {
  const document = await readFile(new URL('../../../docs/databases/supabase.md', import.meta.url), 'utf8');
  const project = await startSupabaseProject(
    certificate,
    [...careless.slice(0, 2), careless[3]!, 'grant select (id) on public.patients to anon'],
    {
      ...{ gateway: true, meta: true, authSettings: open },
    },
  );
  try {
    await collect(project.port, project.serviceKey, { anonKey: project.anonKey });
    const shapes = project.requests.map(({ line }) =>
      line
        .replace(/no_such_[0-9a-f]+/, 'no_such_…')
        .replace(/\/(?:news|patients)\?/, '/TABLE?')
        .replace('%22id%22', 'COLUMN')
        .replace('%22headline%22', 'COLUMN')
        .replace('%22full_name%22', 'COLUMN'),
    );
    for (const shape of new Set(shapes)) expect(document).toContain(`\`${shape}\``);
    expect(document.match(/^\| `(?:GET|HEAD) /gm)?.length).toBe(new Set(shapes).size);
  } finally {
    await project.close();
  }
});

it('shows every check firing somewhere', () => {
  expect(checksMissing('supabase', [...readable, ...writable, ...others])).toEqual([]);
});
