import { describe, expect, it, onTestFinished } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { inspectionFrom, resolvedBy } from '../../../test/support/resolved-by.ts';
import { startSupabaseProject } from '../../../test/support/supabase-project.ts';
import { loopbackGuard } from '../../../test/support/website.ts';
import type { Inspection } from '../../scan/inspection.ts';
import { collectSupabase } from './collect.ts';

const authority = testAuthority();
const certificate = authority.issue({ covers: ['127.0.0.1'] });
const readable = 'supabase.table_readable_by_anon';

const patients = [
  'create table public.patients (id int, full_name text, email text)',
  "insert into public.patients values (1, 'S3cret-row')",
  'grant all on public.patients to anon',
];

type Options = Parameters<typeof startSupabaseProject>[2];

/** A project whose statements and options can change between two scans. */
async function running(statements: readonly string[], options: Partial<Options> = {}) {
  const settings: Options = { gateway: true, meta: false, authSettings: {}, ...options };
  const project = await startSupabaseProject(certificate, statements, settings);
  onTestFinished(() => project.close());
  const scan = async (openPlaces: readonly string[] = []): Promise<Inspection> => {
    const host = `127.0.0.1:${project.port}`;
    const capture = await collectSupabase(host, {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(20_000),
      userAgent: 'Parapet/test',
      trustedRoots: [authority.root],
      openPlaces,
      credential: {
        ...{ type: 'service_role', url: `https://${host}` },
        ...{ key: project.serviceKey, anon_key: project.anonKey },
      },
    });
    return inspectionFrom(capture, 'supabase');
  };
  return { project, settings, scan };
}

const placesOf = ({ seen }: Inspection) =>
  seen
    .filter(({ category }) => category === readable)
    .map(({ locator, severity }) => `${locator} ${severity}`);
const reasonOf = ({ outcomes }: Inspection) => outcomes.find(({ check }) => check === readable)?.reason;

describe('a refusal', () => {
  it('of a firewall resolves nothing', async () => {
    const { settings, scan } = await running(patients);
    const before = await scan();
    expect(placesOf(before)).toEqual(['patients critical']);
    for (const [status, type] of [
      [403, 'text/html'],
      [403, 'application/json'],
      [404, 'application/json'],
    ] as const) {
      settings.block = (request, response) => {
        if (!request.url?.includes('/patients')) return false;
        response.writeHead(status, { 'content-type': type }).end('{"message":"Blocked"}');
        return true;
      };
      const after = await scan(['patients']);
      expect(resolvedBy(before, after)).toEqual([]);
      expect(reasonOf(after)).toContain(`The answer ${status} is not the REST API's own refusal`);
    }
  });

  it('proves nothing once anonymous requests are no longer answered', async () => {
    const { settings, scan } = await running(patients);
    const before = await scan();
    let tables = 0;
    settings.block = (request, response) => {
      if (request.url?.includes('/patients')) tables += 1;
      if (tables === 0) return false;
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"42501"}');
      return true;
    };
    const after = await scan();
    expect(resolvedBy(before, after)).toEqual([]);
    expect(reasonOf(after)).toContain('stopped answering anonymous requests');
  });

  it('of all columns at once does not refuse each one', async () => {
    const { project, scan } = await running(patients);
    const before = await scan();
    await project.run(
      'revoke all on public.patients from anon; grant select (email) on public.patients to anon',
    );
    const after = await scan();
    expect(placesOf(after)).toEqual(['patients critical']);
    await project.run('revoke all on public.patients from anon');
    expect(resolvedBy(before, await scan())).toEqual([readable]);
  });
});

describe('a table', () => {
  it('in a schema after the first one is still found, at its place', async () => {
    const widgets = ['create schema api', 'grant usage on schema api to anon, service_role'];
    const { project, settings, scan } = await running([...patients, ...widgets]);
    const before = await scan();
    settings.schemas = ['api', 'public'];
    expect(placesOf(await scan())).toEqual(['patients critical']);
    await project.run(
      'create table api.patients (id int, email text); insert into api.patients values (1); grant select on api.patients to anon, service_role',
    );
    const both = await scan();
    expect(placesOf(both)).toEqual(['patients critical', 'api.patients critical']);
    expect(resolvedBy(before, both)).toEqual([]);
    settings.schemas = ['public'];
    expect(resolvedBy(both, await scan(['patients', 'api.patients']))).toEqual([readable]);
  });

  it('that is no longer listed is still requested, and resolved only if it is gone', async () => {
    const { project, scan } = await running(patients);
    const before = await scan();
    await project.run('revoke all on public.patients from service_role');
    const hidden = await scan();
    expect(resolvedBy(before, hidden)).toEqual([]);
    expect(placesOf(await scan(['patients']))).toEqual(['patients critical']);
    await project.run('drop table public.patients');
    const gone = await scan(['patients']);
    expect(resolvedBy(before, gone)).toEqual([readable]);
    expect(reasonOf(gone)).toBe(null);
  });

  it('in schemas that are not listed is not assessed', async () => {
    const { settings, scan } = await running(patients);
    settings.block = (request, response) => {
      if (!String(request.headers['accept-profile']).startsWith('no_such_')) return false;
      response.writeHead(406, { 'content-type': 'application/json' }).end('{"code":"PGRST106"}');
      return true;
    };
    const { outcomes } = await scan();
    const reasons = outcomes.filter(({ reason }) => reason?.includes('does not list the schemas'));
    expect(reasons.map(({ check }) => check)).toEqual(['supabase.table_writable_by_anon']);
  });
});
