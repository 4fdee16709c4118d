import { afterAll, expect, it } from 'vitest';
import { loopbackSandbox } from '../../test/support/sandbox.ts';
import { httpServer } from '../../test/support/website.ts';
import type { Credential, Source, SourceKind } from '../contract/sources.ts';
import { connectionTester } from './test-connection.ts';

const sandbox = loopbackSandbox();
afterAll(() => sandbox.close());

const task = {
  organizationId: '00000000-0000-4000-8000-000000000003',
  signal: new AbortController().signal,
};

const dsn = (text: string): Credential => ({ type: 'dsn', dsn: text });
const key: Credential = { type: 'service_role', url: 'https://127.0.0.1:1', key: 'S3cret' };

function source(
  kind: SourceKind,
  host = '127.0.0.1:1',
  connection_mode: Source['connection_mode'] = 'direct',
) {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'A source',
    kind,
    host,
    status: 'pending',
    system_id: '00000000-0000-4000-8000-000000000002',
    scan_authorized_at: null,
    connection_mode,
  } satisfies Source;
}

async function codeOf(tested: Source, credential?: Credential, privilegedConnections = true) {
  const test = connectionTester({ sandbox, privilegedConnections });
  const result = await test(tested, credential, task);
  expect(JSON.stringify(result)).not.toContain('S3cret');
  return result.ok ? 'ok' : result.error_code;
}

it('returns the connection test of the contract', async () => {
  const site = await httpServer((_, response) => response.end('hello'));
  try {
    const test = connectionTester({ sandbox, privilegedConnections: false });
    const result = await test(source('website', `http://127.0.0.1:${site.port}/`), undefined, task);
    expect(result).toEqual({
      ok: true,
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      latency_ms: expect.any(Number),
    });
  } finally {
    await site.close();
  }
});

it('does not connect to probe-mode sources', async () => {
  for (const kind of ['website', 'postgres', 'mysql', 'redis', 'supabase'] as const) {
    expect(await codeOf(source(kind, '127.0.0.1:1', 'probe'))).toBe('no_probe_report');
  }
});

it('does not connect to databases while privileged connections are off, or without a matching credential', async () => {
  for (const kind of ['postgres', 'mysql', 'redis', 'supabase'] as const) {
    const credential = kind === 'supabase' ? key : dsn(`${kind}://u:S3cret@127.0.0.1:1/d`);
    expect(await codeOf(source(kind), credential, false)).toBe('privileged_connections_disabled');
    expect(await codeOf(source(kind))).toBe('credential_missing');
    expect(await codeOf(source(kind), kind === 'supabase' ? dsn('x') : key)).toBe('invalid_credential');
  }
});

it('tests each kind with its own protocol', async () => {
  expect(await codeOf(source('postgres'), dsn('postgres://u:S3cret@127.0.0.1:1/d'))).toBe(
    'connection_refused',
  );
  expect(await codeOf(source('postgres'), dsn('mysql://u:S3cret@127.0.0.1:1/d'))).toBe('invalid_credential');
  expect(await codeOf(source('mysql'), dsn('mysql://u:S3cret@127.0.0.1:1/d'))).toBe('connection_refused');
  expect(await codeOf(source('mysql'), dsn('postgres://u:S3cret@127.0.0.1:1/d'))).toBe('invalid_credential');
  expect(await codeOf(source('redis'), dsn('redis://u:S3cret@127.0.0.1:1'))).toBe('connection_refused');
  expect(await codeOf(source('redis'), dsn('mysql://u:S3cret@127.0.0.1:1/d'))).toBe('invalid_credential');
  expect(await codeOf(source('supabase'), key)).toBe('connection_refused');
  expect(await codeOf(source('supabase', 'db.example.com'), key)).toBe('credential_host_mismatch');
});
