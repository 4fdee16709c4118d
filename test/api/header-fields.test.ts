import { beforeAll, expect, it } from 'vitest';
import { sendLines, sendRaw } from '../support/raw-http.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { signRequest } from '../support/signing-client.ts';

let service: SharedService;
let organizationId: string;
beforeAll(async () => {
  service = await sharedService();
  organizationId = await service.createOrganization();
});

const junk = (count: number) => Array.from({ length: count }, () => ['w0', 'x'] as const);
/** The field that a trusted proxy, here the sender, adds after the client's fields. */
const forwarded = ['x-forwarded-for', '203.0.113.77'] as const;

it.each([
  ['the proxy', '127.0.0.1', []],
  ['an address that the client names', '198.51.100.7', [['x-forwarded-for', '198.51.100.7'] as const]],
])('does not mistake a client for %s because of many header fields', async (_who, allowed, first) => {
  const key = await service.mint(organizationId, { allowedAddresses: [allowed] });
  const status = async (...lines: (readonly [string, string])[]) => {
    const parts = signRequest(key, 'GET', '/api/v1/systems');
    const headerLines = [...first, ...Object.entries(parts.headers), ...lines];
    return (await sendRaw(service.url, parts, { headerLines })).status;
  };
  expect(await status(['x-forwarded-for', allowed])).toBe(200);
  for (const count of [0, 150, 190, 194, 198, 200, 250, 1_200]) {
    expect(await status(...junk(count), forwarded), `${count} fields between`).toBe(401);
  }
});

it('refuses a sign-in with too many header fields to read', async () => {
  const lines = junk(200).map(([name, value]) => `${name}: ${value}`);
  const head = [`POST /dashboard/api/sign-in HTTP/1.1`, 'Host: x', ...lines, `Origin: ${service.url}`];
  const body = JSON.stringify({ email: 'a@example.org', password: 'a wrong password' });
  const answer = await sendLines(service.url, [...head, `Content-Length: ${body.length}`], body);
  expect(answer.status).toBe(431);
  expect(answer.head).toMatch(/\r\nconnection: close/i);
  expect(JSON.parse(answer.body)).toMatchObject({ error_code: 'headers_too_large' });
});
