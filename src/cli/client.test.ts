import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { RefusedError, requestJson } from './request-json.ts';
import { readClientSettings } from './settings.ts';

/** Reactions of the service to the requests, in order; the last one repeats. */
type Reaction = number | 'hang up';

const id = '6f1c2b1e-4c0e-4a53-9a59-0d7c5f2e8b11';

let server: Server;
let client: Client;
let reactions: Reaction[];
let received: { url: string; headers: IncomingHttpHeaders; body: string }[];

beforeEach(async () => {
  received = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url!, headers: request.headers, body });
    const reaction = reactions[Math.min(received.length, reactions.length) - 1]!;
    if (reaction === 'hang up') return void request.socket.destroy();
    response.writeHead(reaction, {
      'content-type': 'application/json',
      location: '/elsewhere',
      'x-request-id': id,
    });
    response.end(
      JSON.stringify(
        reaction < 300 ? { fine: true } : { error: 'E', fields: [{ path: 'a.b', message: 'is wrong' }] },
      ),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function clientOf(url: string): Client {
  const settings = readClientSettings({
    PARAPET_URL: url,
    PARAPET_TOKEN: 'svc_live_secret',
    PARAPET_TOKEN_ID: '6f1c2b1e-4c0e-4a53-9a59-0d7c5f2e8b10',
    PARAPET_SIGNING_KEY: 'svc_sign_MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f',
  });
  return new Client(settings, { retryAfterMs: [1, 1] });
}

describe('Client', () => {
  it('signs every attempt again after a 500', async () => {
    reactions = [500, 500, 201];
    const answer = await client.send('POST', '/api/v1/systems', { body: '{"name":"é"}' });
    expect(answer.status).toBe(201);
    expect(received.map(({ body }) => body)).toEqual(Array(3).fill('{"name":"é"}'));
    for (const header of ['x-service-nonce', 'x-service-signature']) {
      expect(new Set(received.map(({ headers }) => headers[header])).size).toBe(3);
    }
  });

  it('gives up after three attempts, and returns the last answer', async () => {
    reactions = [500];
    expect((await client.send('GET', '/api/v1/scans')).status).toBe(500);
    expect(received).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 413])('does not try again after %i', async status => {
    reactions = [status];
    expect((await client.send('GET', '/api/v1/scans')).status).toBe(status);
    expect(received).toHaveLength(1);
  });

  it('does not follow redirects with a signature', async () => {
    reactions = [307, 200];
    expect((await client.send('GET', '/api/v1/scans')).status).toBe(307);
    expect(received).toHaveLength(1);
  });

  it('retries idempotent requests after a lost connection', async () => {
    reactions = ['hang up', 200];
    expect((await client.send('GET', '/api/v1/scans')).status).toBe(200);
    received.length = 0;
    expect((await client.send('POST', '/api/v1/scans', { body: '{}', repeatable: true })).status).toBe(200);
    expect(received).toHaveLength(2);
  });

  it('does not retry a POST that may have taken effect', async () => {
    reactions = ['hang up', 200];
    await expect(client.send('POST', '/api/v1/systems', { body: '{}' })).rejects.toThrow(/cannot be reached/);
    expect(received).toHaveLength(1);
  });

  it('says which address cannot be reached, and not the token', async () => {
    const { url } = client.settings;
    await new Promise(resolve => server.close(resolve));
    await expect(clientOf(url).send('GET', '/api/v1/scans')).rejects.toThrow(
      `${url} cannot be reached (ECONNREFUSED). Check that the service is running and that PARAPET_URL is correct`,
    );
  });

  it("compares the server's clock with ours", async () => {
    reactions = [200];
    expect(Math.abs((await client.send('GET', '/api/v1/scans')).clockAhead!)).toBeLessThanOrEqual(1);
  });
});

describe('requestJson', () => {
  it('returns the JSON of a good answer', async () => {
    reactions = [200];
    expect(await requestJson(client, 'GET', '/api/v1/scans')).toEqual({ fine: true });
  });

  it('includes the error of the service', async () => {
    reactions = [400];
    await expect(requestJson(client, 'POST', '/api/v1/scans', { body: {} })).rejects.toThrow(
      'POST /api/v1/scans: 400 Bad Request, E, a.b is wrong',
    );
  });

  it('adds possible causes to a 401', async () => {
    reactions = [401];
    const refusal = await requestJson<Error>(client, 'GET', '/api/v1/scans').catch((error: Error) => error);
    expect(refusal).toBeInstanceOf(RefusedError);
    expect(refusal.message).toMatch(/The clock is correct/);
    expect(refusal.message).toMatch(/expired, revoked or/);
    expect(refusal.message).not.toContain('svc_live_secret');
  });
});
