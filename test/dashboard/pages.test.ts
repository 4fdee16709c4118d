import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { severities } from '../../src/contract/severity.ts';
import { checkById } from '../../src/detectors/catalogue.ts';
import { hardenedRecords } from '../support/hardened-nginx.ts';
import { authority, scanWebsite } from '../support/scan-website.ts';
import { startService, type TestService } from '../support/service.ts';
import { type TestServer, twoProtocolServer } from '../support/website.ts';

const built = fileURLToPath(new URL('../../dist/web/', import.meta.url));

let service: TestService;
beforeAll(async () => {
  service = await startService({ publicPrefix: '/parapet', brand: 'acme' });
});
afterAll(() => service?.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { redirect: 'manual', ...init });

describe('the pages', () => {
  it('are the same page at every URL, with a new nonce each time', async () => {
    const nonces = new Set<string>();
    for (const path of ['/dashboard/', '/dashboard/sign-in', '/dashboard/o/x/findings?severity=high']) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const policy = response.headers.get('content-security-policy')!;
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!;
      const body = await response.text();
      expect(body).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(body).toContain('<base href="/parapet/dashboard/">');
      expect(body).toContain('<meta name="parapet-brand" content="acme">');
      // Only script files may run.
      expect(policy).toMatch(/script-src 'self';/);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(body).not.toMatch(/<script(?![^>]* src=)/);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('have the header of their page for people who may be signed in', async () => {
    const bodyOf = async (address: string, headers: Record<string, string> = { cookie: 'session=x' }) =>
      (await get(`/dashboard/o/${randomUUID()}/${address}`, { headers })).text();
    expect(await bodyOf('audit?action=scan.finished')).toMatch(
      /<div id="early"><h1>Audit log<\/h1><p>Who did what, /,
    );
    for (const path of ['probes', 'inventory', 'systems/names'])
      expect(await bodyOf('probes')).toMatch(new RegExp(`rel="preload"[^>]*/${path}"`));
    for (const address of [`sources/${randomUUID()}`, 'sources/new', 'nowhere'])
      expect(await bodyOf(address)).not.toContain('early');
  });

  it('have the header and code of the sign-in for people who are not signed in', async () => {
    const bodyOf = async (address: string, headers: Record<string, string> = {}) =>
      (await get(`/dashboard/${address}`, { headers })).text();
    for (const address of ['', 'sign-in?next=/', `o/${randomUUID()}/audit`]) {
      const body = await bodyOf(address);
      expect(body).toMatch(/<div id="early" class="entrance"><h1>Sign in<\/h1><p>Parapet checks /);
      expect(body).toMatch(/modulepreload" href="\.\/assets\/sign-in-page-/);
    }
    expect(await bodyOf('o/x/audit')).not.toContain('early');
    for (const address of ['', 'sign-in'])
      expect(await bodyOf(address, { cookie: 'session=x' })).not.toContain('early');
  });

  it('have the header and code of a one-time link, whoever opens it', async () => {
    const bodyOf = async (address: string, headers: Record<string, string> = {}) =>
      (await get(`/dashboard/${address}`, { headers })).text();
    for (const headers of [{}, { cookie: 'session=x' }]) {
      const body = await bodyOf('set-up', headers);
      expect(body).toMatch(/<div id="early" class="entrance"><h1>Set up Parapet<\/h1><p>Create /);
      expect(body).toMatch(/modulepreload" href="\.\/assets\/set-up-page-/);
      // Its header says who invites, which is not known yet.
      const invitation = await bodyOf('invitation', headers);
      expect(invitation).toMatch(/modulepreload" href="\.\/assets\/invitation-page-/);
      expect(invitation).not.toContain('early');
    }
  });

  it('redirect from the root to the dashboard, for any path that a proxy passes on', async () => {
    for (const path of ['/', '/dashboard', '/parapet/', '/parapet/dashboard']) {
      const response = await get(path);
      expect(response.status, path).toBe(302);
      expect(response.headers.get('location'), path).toBe('/parapet/dashboard/');
    }
    expect((await get('/parapet/dashboard/sign-in')).status).toBe(200);
  });

  it('have compressed files that are cached forever, and no page instead of a missing file', async () => {
    const script = entryOf(await (await get('/dashboard/')).text());
    const response = await get(`/dashboard/${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(built + script))).toBe(true);
    for (const path of [
      '/dashboard/assets/gone.js',
      '/dashboard/o/x/gone.js',
      '/dashboard/.env',
      '/dashboard/assets/..%2fpage.html',
      '/dashboard/assets/%2e%2e/page.html',
      '/dashboard/page.html',
    ]) {
      const missing = await get(path);
      expect(missing.status, path).toBe(404);
      expect(await missing.json()).toEqual({ error: 'Not found' });
    }
    expect((await get('/dashboard/api')).status).toBe(404);
  });

  // What a click opens, and charts, load after the content.
  it.each(['page.html', ...pagesOf()])('load little JavaScript before %s is shown', page => {
    const scripts = [...loadedFor('page.html'), ...loadedFor(page)];
    const bytes = [...new Set(scripts)].map(file => gzipSync(readFileSync(built + file)).length);
    const sum = bytes.reduce((one, other) => one + other);
    expect(sum).toBeGreaterThan(100_000);
    expect(sum).toBeLessThan(200_000);
  });
  it('have the styles of every component that they load', () => {
    const all = readFileSync(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')), 'utf8');
    const known = classesIn(all);
    const styledBy = (files: readonly string[]) =>
      classesIn(files.map(file => readFileSync(built + file, 'utf8')).join());
    const atFirst = styledBy(manifest()['page.html']!.css!);
    for (const page of ['page.html', ...pagesOf()]) {
      const missing = [...styledBy(loadedFor(page))].filter(name => known.has(name) && !atFirst.has(name));
      expect(missing, page).toEqual([]);
    }
    const everything = Object.values(manifest());
    const later = styledBy(everything.flatMap(({ css = [] }) => css));
    const used = styledBy(everything.map(({ file }) => file).filter(file => file.endsWith('.js')));
    expect(used.size).toBeGreaterThan(100);
    expect([...used].filter(name => known.has(name) && !later.has(name))).toEqual([]);
  });
});

/** The names of Mantine's classes, whose styles are imported one component at a time. */
function classesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\bm_[0-9a-f]{5,}\b/g));
}

/** The scripts of a page and its static imports, from Vite's manifest. Charts are imported later. */
function loadedFor(name: string): string[] {
  const files = manifest();
  const names = new Set([name]);
  for (const each of names) for (const imported of files[each]!.imports ?? []) names.add(imported);
  return [...names].map(each => files[each]!.file);
}

function manifest(): Record<string, { file: string; imports?: string[]; css?: string[] }> {
  return JSON.parse(readFileSync(`${built}.vite/manifest.json`, 'utf8'));
}

/** The pages of the routes. */
function pagesOf(): string[] {
  return Object.keys(manifest()).filter(name => /^pages\/.*-page\.tsx$/.test(name));
}

function entryOf(page: string): string {
  return /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(page)![1]!;
}

describe('Parapet, scanned by Parapet', () => {
  const certificate = authority.issue({ covers: ['www.example.com'] });
  let node: TestService;
  let front: TestServer;
  beforeAll(async () => {
    // A proxy that terminates TLS, and passes everything on unchanged.
    const pass: http.RequestListener = (request, response) => {
      const { method, headers, url } = request;
      const onward = http.request(node.url + url, { method, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    };
    const tls = {
      key: certificate.key,
      cert: certificate.chain,
      minVersion: 'TLSv1.2',
      ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20',
    } as const;
    const toHttps: http.RequestListener = (request, response) => {
      response.writeHead(308, { location: `https://${request.headers.host}${request.url}` }).end();
    };
    front = await twoProtocolServer(tls, pass, toHttps);
    node = await startService({ publicUrl: `https://www.example.com:${front.port}` });
  });
  afterAll(async () => {
    await front?.close();
    await node?.close();
  });

  it.each(['/', '/dashboard/sign-in', '/docs'])('has no finding above info at %s', async path => {
    const host = `https://www.example.com:${front.port}${path}`;
    const { observations } = await scanWebsite(host, await hardenedRecords(), { depth: 'full' });
    const known = observations.map(({ check, locator, severity, seen }) => ({
      severity: severity ?? checkById(check)!.severity,
      text: `${check} ${locator}: ${seen}`,
    }));
    const above = known.filter(({ severity }) => severities.indexOf(severity) < severities.indexOf('info'));
    expect(above.map(({ text }) => text)).toEqual([]);
  });
});
