import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeBytes, readAnswer, sendLines } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const long = 'a'.repeat(20_000);
const fields = (count: number) => Array<string>(count).fill('X: y');

/** Requests without a route, with the matching status. */
const requests: readonly (readonly [string, number, readonly string[]])[] = [
  ['an unknown expectation', 200, ['GET /healthz HTTP/1.1', 'Host: x', 'Expect: 200-maybe']],
  ['an unknown expectation without a route', 404, ['GET /none HTTP/1.1', 'Host: x', 'Expect: 200-maybe']],
  ['no Host', 400, ['GET /healthz HTTP/1.1']],
  ['no Host, and no route', 400, ['GET /none HTTP/1.1']],
  ['no Host in HTTP/1.0', 200, ['GET /healthz HTTP/1.0']],
  ['an invalid Host', 400, ['GET /healthz HTTP/1.1', 'Host: [']],
  ['a Host with a path', 400, ['GET /healthz HTTP/1.1', 'Host: x/y']],
  ['a Host of IPv6 with a port', 200, ['GET /healthz HTTP/1.1', 'Host: [::1]:8080']],
  ['two Hosts', 400, ['GET /healthz HTTP/1.1', 'Host: x', 'Host: x']],
  ['headers over 16 KiB', 431, ['GET /healthz HTTP/1.1', 'Host: x', `X-Long: ${long}`]],
  ['200 header fields', 200, ['GET /healthz HTTP/1.1', 'Host: x', ...fields(198)]],
  ['more', 431, ['GET /healthz HTTP/1.1', 'Host: x', ...fields(199)]],
  ['many more', 431, ['GET /healthz HTTP/1.1', 'Host: x', ...fields(1_500)]],
  ['a path over 16 KiB', 431, [`GET /${long} HTTP/1.1`, 'Host: x']],
  ['an invalid request line', 400, ['what is this']],
  ['a lowercase method', 400, ['get /healthz HTTP/1.1', 'Host: x']],
  ['another version', 400, ['GET /healthz HTTP/3.0', 'Host: x']],
  ['a target without a slash', 400, ['GET healthz HTTP/1.1', 'Host: x']],
  ['a header without a name', 400, ['GET /healthz HTTP/1.1', 'Host: x', ': y']],
  ['a NUL in a header', 400, ['GET /healthz HTTP/1.1', 'Host: x', 'X: a\0b']],
  ['two lengths', 400, ['GET /healthz HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2']],
  [
    'length and chunks',
    400,
    ['POST /x HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
  ],
  ['CONNECT', 404, ['CONNECT example.com:443 HTTP/1.1', 'Host: x']],
  ['OPTIONS *', 404, ['OPTIONS * HTTP/1.1', 'Host: x']],
  ['TRACE', 404, ['TRACE /healthz HTTP/1.1', 'Host: x']],
  ['a method without a route', 404, ['PROPFIND /healthz HTTP/1.1', 'Host: x']],
  ['QUERY without a media type', 400, ['QUERY /none HTTP/1.1', 'Host: x', 'Content-Length: 0']],
  ['an invalid media type', 400, ['POST /none HTTP/1.1', 'Host: x', 'Content-Type: ;', 'Content-Length: 0']],
  ['an upgrade', 404, ['GET /none HTTP/1.1', 'Host: x', 'Connection: upgrade', 'Upgrade: websocket']],
  ['a path that cannot be decoded', 404, ['GET /%zz HTTP/1.1', 'Host: x']],
  ['a path that is not UTF-8', 404, ['GET /dashboard/%ff HTTP/1.1', 'Host: x']],
  ['a NUL in a path', 404, ['GET /dashboard/assets/%00 HTTP/1.1', 'Host: x']],
  ['the folder of assets', 404, ['GET /dashboard/assets/ HTTP/1.1', 'Host: x']],
  [
    'the folder of assets, compressed',
    404,
    ['GET /dashboard/assets/ HTTP/1.1', 'Host: x', 'Accept-Encoding: br'],
  ],
  ['above the assets', 404, ['GET /dashboard/assets/.. HTTP/1.1', 'Host: x']],
  ['above the assets, encoded', 404, ['GET /dashboard/assets/%2e%2e/page.html HTTP/1.1', 'Host: x']],
  [
    'above the assets, encoded slash',
    404,
    ['GET /dashboard/assets/..%2f..%2fpackage.json HTTP/1.1', 'Host: x'],
  ],
  ['a hidden asset', 404, ['GET /dashboard/assets/.env HTTP/1.1', 'Host: x']],
  ['an asset that does not exist', 404, ['GET /dashboard/assets/none.js HTTP/1.1', 'Host: x']],
  ['assets of documentation', 404, ['GET /docs/static/.. HTTP/1.1', 'Host: x']],
  ['the folder of documentation', 404, ['GET /docs/static/none/ HTTP/1.1', 'Host: x']],
];

describe('in the form of any other error', () => {
  it.each(requests)('answers %s with %d (spec 7)', async (_name, status, lines) => {
    const answer = await sendLines(service.url, lines);
    expect(answer.status, answer.body).toBe(status);
    expect(answer.head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8/i);
    if (status === 200) return;
    expect(typeof JSON.parse(answer.body).error).toBe('string');
    expect(answer.head).toMatch(/\r\nx-content-type-options: nosniff/i);
  });

  it('answers bytes that are not HTTP, including those after a request, after its response', async () => {
    const garbage = readAnswer(
      await exchangeBytes(service.url, '\x16\x03\x01\x02\x00\x01\x00', { ends: false }),
    );
    expect([garbage.status, garbage.body]).toEqual([400, '{"error":"Invalid body"}']);
    const pipelined = await exchangeBytes(
      service.url,
      'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\nnot http at all\r\n\r\n',
      { ends: false },
    );
    expect(pipelined.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(pipelined).toMatch(/\{"status":"ready"\}.*\{"status":"ok"\}.*\{"error":"Invalid body"\}$/s);
  });

  it('answers CONNECT after the previous response', async () => {
    const text = await exchangeBytes(
      service.url,
      'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
      { ends: false },
    );
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('closes the connection after a request for another protocol, since later bytes are lost', async () => {
    const text = await exchangeBytes(
      service.url,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n',
      { ends: false },
    );
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('answers a dashboard body with invalid framing', async () => {
    const text = await exchangeBytes(
      service.url,
      'POST /dashboard/api/session HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      { ends: false },
    );
    expect(readAnswer(text).status).toBeGreaterThanOrEqual(400);
    expect(readAnswer(text).status).toBeLessThan(500);
    expect(typeof JSON.parse(readAnswer(text).body).error).toBe('string');
  });
});

it('has logged nothing above info for these requests', () => {
  expect(service.log.filter(line => JSON.parse(line).level > 30)).toEqual([]);
});
