import { once } from 'node:events';
import type http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spellings } from '../api/spellings.ts';
import { testCertificate } from '../support/certificates.ts';
import { asOwner } from '../support/postgres.ts';
import { proxies, publicName } from '../support/proxies.ts';
import { startService, type TestService } from '../support/service.ts';
import { type ClientKey, send, signRequest } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';

const certificate = testCertificate({ name: publicName, covers: [publicName] });
/** An address of the client that is not the proxy's. */
const clientAddress = '127.0.0.77';

let service: TestService;
let organization: string;
let key: ClientKey;
beforeAll(async () => {
  service = await startService({ trustedProxies: ['127.0.0.1'] });
  organization = await service.createOrganization();
  key = await service.mint(organization);
});
afterAll(() => service?.close());

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | undefined;
}

/** Sends a request through a proxy, as a client elsewhere does. */
async function through(proxy: TestServer, { method, target, headers = {}, body }: Sent) {
  const request = https.request({
    host: '127.0.0.1',
    port: proxy.port,
    localAddress: clientAddress,
    servername: publicName,
    ca: certificate.certificate,
    method,
    path: target,
    headers: { host: publicName, ...headers },
    agent: false,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  // A refusal can arrive before the whole body was sent.
  request.on('error', () => {});
  return { status: response.statusCode!, headers: response.headers, text: await text(response) };
}

describe.each(proxies.filter(({ isInstalled }) => isInstalled()))('behind $name', ({ start }) => {
  let proxy: TestServer;
  let recorder: TestServer;
  /** Another proxy, in front of a server that records what it gets. */
  let recorded: TestServer;
  const received: { target: string; peer: number | undefined; forwarded: string | undefined }[] = [];

  beforeAll(async () => {
    proxy = await start(Number(new URL(service.url).port), certificate);
    recorder = await httpServer((request, response) => {
      received.push({
        target: request.url!,
        peer: request.socket.remotePort,
        forwarded: request.headers['x-forwarded-for'] as string | undefined,
      });
      request.resume();
      response.end('recorded');
    });
    recorded = await start(recorder.port, certificate);
  });
  afterAll(async () => {
    await proxy?.close();
    await recorded?.close();
    await recorder?.close();
  });

  it('answers signed requests, and records the address of the client', async () => {
    const body = JSON.stringify({ name: 'Shop', environment: 'test', kind: 'site' });
    const sent = signRequest(key, 'POST', '/api/v1/systems', body);
    // A client cannot choose its address.
    const headers = { ...sent.headers, 'x-forwarded-for': '203.0.113.9' };
    const created = await through(proxy, { ...sent, headers });
    expect(created.status, created.text).toBe(201);
    expect(created.headers['strict-transport-security']).toContain('max-age=31536000');
    const { system } = JSON.parse(created.text);
    for (const target of ['/api/v1/systems?limit=1', '/api/v1/systems?name=%53hop%2f', '/%61pi/v1/systems']) {
      const direct = await send(service.url, signRequest(key, 'GET', target));
      const answer = await through(proxy, signRequest(key, 'GET', target));
      expect([answer.status, answer.text], target).toEqual([direct.status, direct.text]);
      // Another path than the signed one would be refused with 401.
      expect(answer.status, target).not.toBe(401);
    }
    await asOwner(service.database.connection, async owner => {
      const entry = 'select address from audit_entries where organization_id = $1 and object_id = $2';
      const { rows } = await owner.query(entry, [organization, system.id]);
      expect(rows).toEqual([{ address: clientAddress }]);
    });
  });

  it('gets every spelling of a path as the client signed it, or not at all', async () => {
    // Of characters that no URL may contain, Caddy encodes some: their signature is then refused.
    const targets = spellings('/api/v1/systems').filter(target =>
      /^\/[\w\-.~!$&'()*+,;=:@%/?]*$/.test(target),
    );
    expect(targets.length).toBeGreaterThan(40);
    let passed = 0;
    for (const target of targets) {
      received.length = 0;
      const { status, text } = await through(recorded, { method: 'GET', target });
      if (text !== 'recorded') {
        expect([status, received], target).toEqual([400, []]);
        continue;
      }
      passed += 1;
      expect(received.map(one => one.target)).toEqual([target]);
      expect(received[0]!.forwarded).toBe(clientAddress);
    }
    expect(passed).toBeGreaterThan(20);
  });

  it('keeps its connections to Parapet', async () => {
    received.length = 0;
    for (let request = 0; request < 5; request++)
      await through(recorded, { method: 'GET', target: '/healthz' });
    expect(new Set(received.map(({ peer }) => peer)).size).toBe(1);
  });

  it('passes uploads of evidence, and lets Parapet refuse larger bodies', async () => {
    const upload = { method: 'POST', target: '/dashboard/api/evidence' };
    const largest = await through(recorded, { ...upload, body: Buffer.alloc(10 * 1024 * 1024) });
    expect(largest.text).toBe('recorded');
    const tooLarge = signRequest(key, 'POST', '/api/v1/systems', 'x'.repeat(300_000));
    expect((await through(proxy, tooLarge)).status).toBe(413);
  });

  it('passes a download on while it is written', async () => {
    let finish = () => {};
    const slow = await httpServer((_request, response) => {
      response.write('first');
      finish = () => response.end();
    });
    const front = await start(slow.port, certificate);
    const options = {
      host: '127.0.0.1',
      port: front.port,
      servername: publicName,
      ca: certificate.certificate,
    };
    const request = https.get({ ...options, headers: { host: publicName }, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const [piece] = await once(response, 'data');
    expect(String(piece)).toBe('first');
    finish();
    expect(await text(response)).toBe('');
    await front.close();
    await slow.close();
  });
});
