import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { beforeAll, expect, it } from 'vitest';
import { authorizedSource } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let person: TestPerson;
let path: string;
beforeAll(async () => {
  service = await sharedService();
  const source = await authorizedSource(service);
  await storeFindings(
    source,
    Array.from({ length: 20 }, (_, index) => ({ title: `Flaw number ${index}` })),
  );
  person = await addPerson(service, source.organizationId, 'owner');
  path = `/organizations/${source.organizationId}`;
});

async function get(url: string, encoding: string | undefined, more: Record<string, string> = {}) {
  const { headers, body } = await request(`${service.url}/dashboard/api${url}`, {
    headers: { cookie: person.client.cookie!, ...(encoding && { 'accept-encoding': encoding }), ...more },
  });
  return { headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

it('compresses the data of an organization as the client accepts it', async () => {
  const plain = await get(`${path}/findings`, undefined);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toBe('accept-encoding');
  for (const [accepted, encoding, decompress] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await get(`${path}/findings`, accepted);
    expect(headers, accepted).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(Number(headers['content-length'] ?? bytes.length), accepted).toBe(bytes.length);
    expect(bytes.length * 3).toBeLessThan(plain.bytes.length);
    expect(decompress(bytes).equals(plain.bytes)).toBe(true);
  }
});

it('compresses nothing that holds a secret, or that another site has requested', async () => {
  expect((await get('/session', 'br')).headers['content-encoding']).toBeUndefined();
  const short = await get(`${path}/findings?search=none`, 'br');
  expect(short.headers['content-encoding']).toBeUndefined();
  for (const site of ['cross-site', 'same-site', 'none']) {
    const { headers } = await get(`${path}/findings`, 'br', { 'sec-fetch-site': site });
    expect(headers['content-encoding'], site).toBeUndefined();
  }
  const changed = await request(`${service.url}/dashboard/api${path}/keys`, {
    method: 'POST',
    headers: {
      cookie: person.client.cookie!,
      origin: service.url,
      'x-csrf-token': person.client.csrf!,
      'content-type': 'application/json',
      'accept-encoding': 'br',
    },
    body: JSON.stringify({
      name: 'k',
      kind: 'dashboard',
      allowed_addresses: Array.from(
        { length: 50 },
        (_, index) => `2001:db8:1234:5678:9abc:def0:1234:${index + 1000}`,
      ),
    }),
  });
  expect(changed.statusCode).toBe(201);
  expect((await changed.body.text()).length).toBeGreaterThan(2_048);
  expect(changed.headers['content-encoding']).toBeUndefined();
});
