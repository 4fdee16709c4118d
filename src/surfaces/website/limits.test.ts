import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { httpServer, loopbackGuard, type TestServer } from '../../../test/support/website.ts';
import type { WebsiteCapture } from '../../captures/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { collectWebsite } from './collect.ts';

/** Sites that exceed a limit: they take little time, and the limit is reported. */

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const html = { 'content-type': 'text/html; charset=utf-8' };
const limits = { requests: 20, bytes: 8 * 1024 * 1024, totalMs: 60_000, requestMs: 20_000 };

/** Scans a site, runs every detector, and returns the CPU time of both. */
async function scan(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  depth: 'safe' | 'full' = 'safe',
) {
  const server = await httpServer(answer);
  servers.push(server);
  const before = process.cpuUsage();
  const capture = await collectWebsite(`http://127.0.0.1:${server.port}/`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(90_000),
    limits,
    depth,
  });
  const detections = detectorsFor('website').map(detector => detector.detect(capture));
  const { user, system } = process.cpuUsage(before);
  const reasons = new Map(
    detections.flatMap(({ notAssessed }) => notAssessed.map(({ check, reason }) => [check, reason])),
  );
  return { capture, reasons, milliseconds: (user + system) / 1_000 };
}

/** Serves this page at every path. */
const page = (body: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, html).end(`<!doctype html><title>A</title>${body}`);
};

function scriptReasons({ scripts }: WebsiteCapture): string[] {
  return (scripts.assessed ? scripts.value : []).flatMap(({ response }) =>
    response.assessed ? [] : [response.reason],
  );
}

const tooLong = 'The page has an address of more than 8192 characters, or 300 before its path.';
const elements = (count: number) =>
  '<script src=a></script><img src=b><a href=c?d>e</a><form action=f>'.repeat(count);

describe('a page', () => {
  it.each(['safe', 'full'] as const)(
    'with a base of 1 MB and many links (%s)',
    { timeout: 120_000 },
    async depth => {
      const body = `<base href="https://a.example/${'x'.repeat(1_000_000)}/">${elements(9_000)}`;
      const { capture, reasons, milliseconds } = await scan(page(body), depth);
      expect(milliseconds).toBeLessThan(10_000);
      expect(reasons.get('page.no_integrity')).toMatch(
        /^The page has (?:an address of more|more (?:addresses|links).*) than |^A page is too long for the scan to read/,
      );
      expect(scriptReasons(capture)).toContain(tooLong);
    },
  );

  it('with a base of 8 KB and many links', { timeout: 120_000 }, async () => {
    const body = `<base href="/${'x'.repeat(8_000)}/">${elements(20_000)}`;
    const { reasons, milliseconds } = await scan(page(body), 'full');
    expect(milliseconds).toBeLessThan(10_000);
    expect(reasons.get('page.no_integrity')).toMatch(
      /^(?:The page has more (?:addresses|links).*than the scan reads\.|A page is too long for the scan to read.*)$/,
    );
  });

  it('with non-ASCII host names that are slow to convert', { timeout: 120_000 }, async () => {
    const name = Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0x4e00 + at * 79)).join('');
    const { reasons, milliseconds } = await scan(page(`<img src="https://${name}/">`.repeat(2_500)), 'full');
    expect(milliseconds).toBeLessThan(10_000);
    expect(reasons.get('page.no_integrity')).toBe('The page has more addresses than the scan reads.');
  });

  it('with more than two hundred scripts', async () => {
    const many = Array.from({ length: 201 }, (_, at) => `<script src="/${at}.js"></script>`).join('');
    expect(scriptReasons((await scan(page(many))).capture)).toContain(
      'The page names more than 200 scripts.',
    );
  });

  it('with large inline images is read like any other', async () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(300_000)}">`;
    const { reasons } = await scan(page(`${image}<a href="/privacy">Privacy</a>`));
    expect(reasons.get('page.no_integrity')).toBe(undefined);
  });

  it('with more policies than the limit', async () => {
    const { reasons } = await scan((_, response) => {
      response
        .writeHead(200, { ...html, 'content-security-policy': "default-src 'self',".repeat(17) })
        .end('<p>Hello');
    });
    expect(reasons.get('csp.missing')).toBe(
      'The page has too many or too long policies for the scan to read.',
    );
  });

  it('with more cookies than the limit', async () => {
    const cookies = Array.from({ length: 181 }, (_, at) => `c${at}=v`);
    const { reasons } = await scan((_, response) => {
      response.writeHead(200, { ...html, 'set-cookie': cookies }).end('<p>Hello');
    });
    expect(reasons.get('cookies.session_not_secure')).toBe(
      'A response sets more cookies than the scan reads.',
    );
  });
});

describe('an answer', () => {
  it('with more header fields than the limit', async () => {
    const fields = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`x-${at}`, 'v']));
    const answered = scan((request, response) => {
      response.writeHead(200, request.url === '/robots.txt' ? html : { ...html, ...fields }).end('<p>');
    });
    await expect(answered).rejects.toThrow('The answer is not valid HTTP or exceeds a limit.');
  });

  it('that redirects to a URL longer than the limit', async () => {
    const { capture, milliseconds } = await scan((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: `/${'x'.repeat(30_000)}` }).end();
      else page('<img src=a>'.repeat(100_000))(request, response);
    });
    expect(milliseconds).toBeLessThan(10_000);
    expect(capture.page).toEqual({
      assessed: false,
      reason: 'A redirect of the site leads to an address that is longer than the scan reads.',
    });
  });
});

it('compares no URL of 1 MB with the rules of a robots.txt', { timeout: 120_000 }, async () => {
  const { capture, milliseconds } = await scan((request, response) => {
    const rules = `Disallow: /*${'a'.repeat(20)}b${'a'.repeat(10)}\n`.repeat(450);
    if (request.url === '/robots.txt') response.end(`User-agent: Parapet\n${rules}`);
    else page(`<script src="/${'a'.repeat(1_000_000)}.js"></script>`)(request, response);
  });
  expect(milliseconds).toBeLessThan(5_000);
  expect(scriptReasons(capture)).toEqual([tooLong]);
});
