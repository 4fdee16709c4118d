import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect, running } from '../../../test/support/collecting.ts';
import { httpServer } from '../../../test/support/website.ts';
import { isAllowed, rulesFor } from './robots.ts';

describe('groups (RFC 9309, 2.2.1)', () => {
  const denied = (robots: string) => !isAllowed(rulesFor('parapet', robots)!, '/x');

  it.each([
    'User-agent: Parapet\nDisallow: /',
    '\ufeffuser-agent:parapet/0.1\r\ndisallow : /x # not for scans\r\n',
    'User-agent: Other\nUser-agent: PARAPET\nDisallow: /',
    'User-agent: Parapet\nUser-agent: Other\nDisallow: /',
    'User-agent: Parapet\nCrawl-delay: 10\n\nSitemap: https://a.example/s.xml\nDisallow: /',
    'User-agent: Parapet\nAllow: /y\n\nUser-agent: *\nDisallow: /z\n\nUser-agent: parapet\nDisallow: /x',
  ])('%j disallows the path', robots => expect(denied(robots)).toBe(true));

  it.each([
    'User-agent: *\nDisallow: /',
    'User-agent: Parapet-News\nDisallow: /',
    'User-agent: Parapet\nDisallow:',
    'User-agent: Other\nDisallow: /\n\nUser-agent: Parapet\nAllow: /',
    'Disallow: /\nUser-agent: Parapet',
    '<!doctype html><p>User-agent: Parapet</p>',
    '',
  ])('%j disallows nothing', robots => expect(denied(robots)).toBe(false));
});

describe('patterns (RFC 9309, 2.2.2 and 2.2.3)', () => {
  const allowed = (lines: string, path: string) =>
    isAllowed(rulesFor('parapet', `User-agent: Parapet\n${lines}`)!, path);

  it.each([
    ['Disallow: /a', '/ab', false],
    ['Disallow: /a/', '/a', true],
    ['Disallow: /a$', '/ab', true],
    ['Disallow: /a$', '/a', false],
    ['Disallow: /*.git', '/x/.git/config', false],
    ['Disallow: /*.env$', '/a.env?b=.env', false],
    ['Disallow: /*.env$', '/a.env.bak', true],
    ['Disallow: /*a*a$', '/a', true],
    ['Disallow: /a*$', '/abc', false],
    ['Disallow: /\nAllow: /public', '/public/a', true],
    ['Disallow: /a/b\nAllow: /a', '/a/b/c', false],
    ['Disallow: /same\nAllow: /same', '/same', true],
    ['Allow: /same\nDisallow: /same', '/same', true],
    ['Disallow: /%61%2f', '/a%2Fb', false],
    ['Disallow: /ä', '/%C3%A4', false],
  ])('%j and %s: %s', (lines, path, expected) => expect(allowed(lines, path)).toBe(expected));

  it('reads at most 500 rules of at most 2,048 characters', () => {
    const robots = (rules: number, length = 10) =>
      `User-agent: parapet\n${`Disallow: /${'a'.repeat(length - 1)}\n`.repeat(rules)}`;
    expect(rulesFor('parapet', robots(500))).toHaveLength(500);
    expect(rulesFor('parapet', robots(501))).toBe(null);
    expect(rulesFor('parapet', robots(1, 2_048))).toHaveLength(1);
    expect(rulesFor('parapet', robots(1, 2_049))).toBe(null);
    // Rules for other products are not counted.
    expect(rulesFor('other', robots(501))).toEqual([]);
  });

  it('finds the parts of a pattern like indexOf', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 }),
        (parts, path) => {
          const pattern = `/${parts.join('*')}`;
          const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}`).test(`/${path}`);
          expect(isAllowed([{ allow: false, pattern }], `/${path}`)).toBe(!expected);
        },
      ),
    );
  });
});

async function scanned(robots: string) {
  const urls: string[] = [];
  const { port } = await running(
    httpServer((request, response) => {
      urls.push(request.url ?? '');
      const isThere = request.url === '/' || request.url === '/robots.txt' || request.url === '/a.js';
      response.statusCode = isThere ? 200 : 404;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(request.url === '/robots.txt' ? robots : '<!doctype html><script src="/a.js"></script>');
    }),
  );
  return { urls, capture: await collect(`http://127.0.0.1:${port}/`) };
}

describe('a scan', () => {
  const reason = 'The robots.txt of the site disallows this path for Parapet.';

  it('reads robots.txt first and once, and leaves out what it disallows for Parapet', async () => {
    const { urls, capture } = await scanned('User-agent: Parapet\nDisallow: /.\nDisallow: /*.js\n');
    expect(urls[0]).toBe('/robots.txt');
    expect(urls.filter(url => url === '/robots.txt')).toHaveLength(1);
    expect(urls.filter(url => url.startsWith('/.') || url.includes('.js'))).toEqual([]);
    expect(urls).toContain('/backup.zip');
    expect(capture.scripts).toMatchObject({ value: [{ response: { assessed: false, reason } }] });
    const probes = capture.exposure.assessed ? capture.exposure.value.probes : [];
    const left = probes.filter(({ response }) => !response.assessed);
    expect(left.map(({ path }) => path)).toContain('/.env');
    expect(left.every(({ response }) => !response.assessed && response.reason === reason)).toBe(true);
    expect(left.every(({ path }) => path.startsWith('/.') || path.includes('.js'))).toBe(true);
  });

  it('ignores rules for indexers', async () => {
    const { urls } = await scanned('User-agent: *\nDisallow: /\n');
    expect(urls).toContain('/.env');
  });

  it('requests nothing, and reports it, if there are too many rules', async () => {
    const { urls, capture } = await scanned(`User-agent: Parapet\n${'Disallow: /x\n'.repeat(501)}`);
    expect(urls).toEqual(['/robots.txt']);
    const tooMany = 'The robots.txt of the site has more rules than the scan reads.';
    expect(capture.page).toEqual({ assessed: false, reason: tooMany });
  });

  it('ends without a request if everything is disallowed, and reports it', async () => {
    const { urls, capture } = await scanned('User-agent: Parapet\nDisallow: /\n');
    expect(urls).toEqual(['/robots.txt']);
    expect(capture.page).toEqual({ assessed: false, reason });
    expect(capture.exposure.assessed).toBe(false);
  });
});
