import { execFile, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canTest } from '../support/can-test.ts';
import { sharedService } from '../support/service.ts';
import type { ClientKey } from '../support/signing-client.ts';

interface Vector {
  readonly signing_key: string;
  readonly public_key: string;
  readonly token_id: string;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly timestamp: string;
    readonly nonce: string;
    readonly body: string;
    readonly body_sha256: string;
    readonly canonical_message: string;
    readonly signature: string;
  }[];
}

const vectorFile = fileURLToPath(new URL('../../docs/test-vector.json', import.meta.url));
const vector: Vector = JSON.parse(readFileSync(vectorFile, 'utf8'));
const example = (name: string) => fileURLToPath(new URL(`../../examples/signing/${name}`, import.meta.url));

/** The 32 bytes of an Ed25519 public key as SPKI, which node:crypto requires. */
const publicKey = createPublicKey({
  key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(vector.public_key, 'hex')]),
  format: 'der',
  type: 'spki',
});

describe('the test vector', () => {
  test('its key is derived from the seed 0, 1, 2 … 31', () => {
    const der = Buffer.from(vector.signing_key.slice('svc_sign_'.length), 'base64url');
    expect(vector.signing_key).toMatch(/^svc_sign_[A-Za-z0-9_-]{64}$/);
    expect([...der.subarray(-32)]).toEqual(Array.from({ length: 32 }, (_, index) => index));
    const derived = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
    expect(derived.equals(publicKey)).toBe(true);
  });

  test.each(vector.requests)('$method $path', request => {
    const pathname = new URL(request.path, 'https://parapet.example.org').pathname;
    const digest = createHash('sha256').update(request.body, 'utf8').digest('hex');
    const { method, timestamp, nonce } = request;
    expect(request.body_sha256).toBe(digest);
    expect(request.canonical_message).toBe(
      `v2|${method}|${pathname}|${timestamp}|${nonce}|application/json|${digest}|${vector.token_id}|2`,
    );
    const message = Buffer.from(request.canonical_message, 'utf8');
    const der = Buffer.from(vector.signing_key.slice('svc_sign_'.length), 'base64url');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    expect(request.signature).toBe(sign(null, message, key).toString('hex'));
    expect(verify(null, message, publicKey, Buffer.from(request.signature, 'hex'))).toBe(true);
  });
});

interface Client {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  /** Whether it must be compiled, which would otherwise happen for each request. */
  readonly compile?: true;
  /** Checks whether its requirements are installed. */
  readonly probe: readonly [string, ...string[]];
}

const clients: readonly Client[] = [
  { name: 'sign.sh', command: 'bash', parameters: [example('sign.sh')], probe: ['bash', '--version'] },
  {
    name: 'sign.mjs',
    command: process.execPath,
    parameters: [example('sign.mjs')],
    probe: [process.execPath, '-v'],
  },
  { name: 'sign.py', command: 'python3', parameters: [example('sign.py')], probe: ['python3', '--version'] },
  {
    name: 'sign.py without the package cryptography',
    command: 'python3',
    parameters: [
      '-c',
      `import runpy, sys; sys.modules['cryptography'] = None; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')`,
      example('sign.py'),
    ],
    probe: ['python3', '--version'],
  },
  {
    name: 'sign.go',
    command: 'go',
    parameters: ['run', example('sign.go')],
    compile: true,
    probe: ['go', 'version'],
  },
];

const always = ['sign.sh', 'sign.mjs'];

function isThere(client: Client): boolean {
  const [command, ...parameters] = client.probe;
  const found = always.includes(client.name) || spawnSync(command, parameters).status === 0;
  return canTest(found, `examples/signing/${client.name}: "${command}" is not installed here`);
}

const present = clients.filter(isThere);

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'parapet-signing-'));
});
afterAll(() => rm(scratch, { recursive: true }));

async function compiled(client: Client): Promise<Client> {
  if (!client.compile) return client;
  const command = join(scratch, client.name.replace('.', '-'));
  await promisify(execFile)('go', ['build', '-o', command, example(client.name)]);
  return { ...client, command, parameters: [] };
}

describe.each(present)('examples/signing/$name', documented => {
  let client: Client;
  let recorder: Recorder;

  beforeAll(async () => {
    client = await compiled(documented);
    recorder = await record();
  });
  afterAll(() => {
    recorder.server.close();
  });

  test('passes its self-check', async () => {
    const { status, errors } = await run(documented, ['--self-check', vectorFile]);
    expect(errors).toBe(vector.requests.map(({ method, path }) => `ok: ${method} ${path}\n`).join(''));
    expect(status).toBe(0);
  });

  test('fails its self-check against a changed vector', async () => {
    const changed = join(scratch, 'changed.json');
    await writeFile(changed, (await readFile(vectorFile, 'utf8')).replace('Café', 'Cafe'));
    const { status, errors } = await run(client, ['--self-check', changed]);
    expect(errors).toContain('differs: POST /api/v1/systems');
    expect(status).toBe(1);
  });

  test.each([
    { method: 'GET', path: '/api/v1/findings?status=open', body: undefined },
    { method: 'POST', path: '/api/v1/systems', body: '{"name": "Café \\"portal\\"",\n "kind":"site"}' },
    { method: 'POST', path: '/functions/v1/events-ingest', body: '{"events":[]}' },
    { method: 'POST', path: '/api/v1/sources/x/test', body: '' },
    { method: 'DELETE', path: '/api/v1/sources/x', body: undefined },
    { method: 'HEAD', path: '/api/v1/scans', body: undefined },
  ])('sends $method $path according to the specification, below a path of a proxy (spec 5)', async wanted => {
    const parameters = [wanted.method, wanted.path, ...(wanted.body === undefined ? [] : [wanted.body])];
    const answer = await run(client, parameters, recorder.url);
    expect(answer).toEqual({
      status: 0,
      errors: 'HTTP 200\n',
      output: wanted.method === 'HEAD' ? '' : '{"answer":"é"}',
    });
    const sent = recorder.last!;
    expect(sent).toMatchObject({ method: wanted.method, url: `/proxy${wanted.path}` });
    expect(sent.body.toString('utf8')).toBe(wanted.body ?? '');
    expectSigned(sent, wanted.path.split('?')[0]!);
  });

  test('fails when the service refuses, and shows its response', async () => {
    const { status, errors, output } = await run(client, ['GET', '/api/v1/refused'], recorder.url);
    expect(output).toBe('{"error":"Unauthorized"}');
    expect(errors).toMatch(/^HTTP 401\n/);
    expect(status).toBe(1);
  });
});

describe.each(present)('$name against a running service', documented => {
  test('signs a GET and a POST that are admitted', async () => {
    const [service, client] = await Promise.all([sharedService(), compiled(documented)]);
    const key = await service.mint(await service.createOrganization());
    const system = '{"name":"Café portal","environment":"production","kind":"site"}';
    const created = await run(client, ['POST', '/api/v1/systems', system], service.url, key);
    expect(created.errors).toMatch(/^HTTP 201\n/);
    expect(JSON.parse(created.output).system.name).toBe('Café portal');
    const listed = await run(client, ['GET', '/api/v1/systems?limit=5'], service.url, key);
    expect(listed.errors).toMatch(/^HTTP 200\n/);
    expect(JSON.parse(listed.output).systems).toHaveLength(1);
    const refused = await run(client, ['GET', '/api/v1/systems'], service.url, {
      ...key,
      token: `${key.token}x`,
    });
    expect([refused.status, refused.output]).toEqual([1, '{"error":"Unauthorized"}']);
  });
});

test('the reference prints the same vector', async () => {
  const reference = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const { signing_key, token_id, requests } = vector;
  const { canonical_message, signature, nonce, timestamp } = requests[0]!;
  for (const value of [signing_key, token_id, canonical_message, signature, nonce, timestamp]) {
    expect(reference).toContain(value);
  }
});

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Recorder {
  readonly server: Server;
  /** Has a path, as behind a reverse proxy. */
  readonly url: string;
  last: Sent | null;
}

/** A server that records requests, and refuses one path. */
async function record(): Promise<Recorder> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    recorder.last = { method, url, headers, body: Buffer.concat(chunks) };
    const refused = url.endsWith('/refused');
    response.writeHead(refused ? 401 : 200, { 'content-type': 'application/json' });
    response.end(refused ? '{"error":"Unauthorized"}' : '{"answer":"é"}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const recorder: Recorder = { server, url: `http://127.0.0.1:${port}/proxy/`, last: null };
  return recorder;
}

function expectSigned({ method, headers, body }: Sent, pathname: string): void {
  const timestamp = String(headers['x-service-timestamp']);
  const nonce = String(headers['x-service-nonce']);
  expect(headers.authorization).toBe('Bearer svc_live_test');
  expect(headers['content-type']).toBe('application/json');
  expect(headers['x-service-token-id']).toBe(vector.token_id);
  expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{128}$/);
  expect(timestamp).toMatch(/^\d+$/);
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
  expect(nonce).toMatch(/^[A-Za-z0-9._~-]{8,128}$/);
  const digest = createHash('sha256').update(body).digest('hex');
  const message = `v2|${method}|${pathname}|${timestamp}|${nonce}|application/json|${digest}|${vector.token_id}|2`;
  const signature = Buffer.from(String(headers['x-service-signature']), 'hex');
  expect(verify(null, Buffer.from(message), publicKey, signature)).toBe(true);
}

function run(
  client: Client,
  parameters: readonly string[],
  url = '',
  key: ClientKey = { token: 'svc_live_test', token_id: vector.token_id, signing_key: vector.signing_key },
): Promise<{ status: number | null; output: string; errors: string }> {
  const env = {
    ...process.env,
    PARAPET_URL: url,
    PARAPET_TOKEN: key.token,
    PARAPET_TOKEN_ID: key.token_id,
    PARAPET_SIGNING_KEY: key.signing_key,
  };
  return new Promise(resolve => {
    const child = execFile(
      client.command,
      [...client.parameters, ...parameters],
      { env },
      (_, output, errors) => resolve({ status: child.exitCode, output, errors }),
    );
  });
}
