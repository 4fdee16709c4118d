import { afterEach, describe, expect, it } from 'vitest';
import { testAuthority, testCertificate } from '../../../test/support/certificates.ts';
import {
  hasNginx,
  httpsServer,
  loopbackGuard,
  startNginx,
  type TestServer,
  twoProtocolServer,
} from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import type { Observation } from '../../detectors/detector.ts';
import { createTargetGuard } from '../../surfaces/target-guard.ts';
import { collectWebsite } from '../../surfaces/website/collect.ts';

/** Collecting and detecting together, against real servers that are known to be good or bad. */

const authority = testAuthority();
let server: TestServer | undefined;
afterEach(() => server?.close());

const name = 'portal.harbourview.example';
const leaf = authority.issue({ covers: [name, 'localhost', '127.0.0.1'] });
/** A name instead of an address, so that HSTS and host names count. */
const guard = createTargetGuard({ allowlist: ['127.0.0.1'], resolve: () => Promise.resolve(['127.0.0.1']) });
const noRecords = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));

async function scan(host: string): Promise<readonly Observation[]> {
  const evidence = await collectWebsite(host, {
    guard,
    signal: AbortSignal.timeout(30_000),
    trustedRoots: [authority.root],
    resolveCaa: noRecords,
  });
  return detectorsFor('website').flatMap(detector => detector.detect(evidence).observations);
}

function severityOf({ check, severity }: Observation): string {
  const known = detectorsFor('website').flatMap(({ checks }) => checks);
  return severity ?? known.find(({ id }) => id === check)!.severity;
}

function aboveInfo(observations: readonly Observation[]): string[] {
  return [
    ...new Set(observations.filter(one => severityOf(one) !== 'info').map(({ check }) => check)),
  ].sort();
}

const hardened: Record<string, string> = {
  'Content-Security-Policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
const page = '<!doctype html><html lang="en"><head><title>Portal</title></head><body>Hello</body></html>';

describe('Node.js', () => {
  it('a hardened site has nothing above info', async () => {
    server = await httpsServer(
      { key: leaf.key, cert: leaf.chain, minVersion: 'TLSv1.2', ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20' },
      (request, response) => {
        for (const [header, value] of Object.entries(hardened)) response.setHeader(header, value);
        response.setHeader('Set-Cookie', '__Host-sid=abc; Path=/; Secure; HttpOnly; SameSite=Lax');
        response.setHeader('Cache-Control', 'no-store');
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.statusCode = request.url === '/' ? 200 : 404;
        response.end(page);
      },
    );
    const observations = await scan(`${name}:${server.port}`);
    expect(aboveInfo(observations)).toEqual([]);
    expect(observations.map(({ check }) => check).sort()).toEqual([
      'exposure.security_txt_missing',
      'headers.cross_origin_isolation',
      'tls.no_caa',
    ]);
  });

  it('a friendly page for every path is no exposure', async () => {
    server = await httpsServer({ key: leaf.key, cert: leaf.chain }, (request, response) => {
      for (const [header, value] of Object.entries(hardened)) response.setHeader(header, value);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page.replace('Hello', `Nothing found at ${request.url}. DB_PASSWORD=x [core] PK`));
    });
    const checks = aboveInfo(await scan(`${name}:${server.port}`));
    expect(checks.filter(check => check.startsWith('exposure.'))).toEqual([]);
  });

  it('an API that answers JSON is not asked for what documents need', async () => {
    server = await httpsServer(
      { key: leaf.key, cert: leaf.chain, ciphers: 'ECDHE+AESGCM' },
      (_, response) => {
        response.setHeader('Strict-Transport-Security', 'max-age=63072000');
        response.setHeader('X-Content-Type-Options', 'nosniff');
        response.setHeader('Content-Type', 'application/json');
        response.end('{"ok":true}');
      },
    );
    expect(aboveInfo(await scan(`${name}:${server.port}`))).toEqual([]);
  });

  it('a plain HTTP site on an address has no HTTPS, and is not asked for HSTS', async () => {
    const made = testCertificate();
    server = await twoProtocolServer(
      { key: made.key, cert: made.certificate },
      (_, response) => response.end(),
      (_, response) => {
        for (const [header, value] of Object.entries(hardened)) response.setHeader(header, value);
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(page);
      },
    );
    const evidence = await collectWebsite(`http://127.0.0.1:${server.port}/`, {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(30_000),
    });
    const observations = detectorsFor('website').flatMap(detector => detector.detect(evidence).observations);
    expect(aboveInfo(observations)).toEqual(['transport.no_https']);
  });
});

describe.skipIf(!hasNginx())('nginx', () => {
  const headers = Object.entries(hardened)
    .map(([header, value]) => `add_header ${header} "${value}" always;`)
    .join(' ');

  it('a hardened site has nothing above info', async () => {
    server = await startNginx(
      `server_name ${name}; server_tokens off; charset utf-8;
       ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;
       error_page 497 301 =301 https://$http_host$request_uri;
       ${headers} location ~ /\\.(?!well-known/) { return 404; }`,
      { certificate: leaf.chain, key: leaf.key },
      {
        'index.html': page,
        '.env': 'DB_PASSWORD=hidden\n',
        '.well-known/security.txt': 'Contact: mailto:security@example.com\nExpires: 2030-01-01T00:00:00Z\n',
      },
    );
    const observations = await scan(`${name}:${server.port}`);
    expect(aboveInfo(observations)).toEqual([]);
    expect(observations.map(({ check }) => check).sort()).toEqual([
      'headers.cross_origin_isolation',
      'tls.no_caa',
    ]);
  });

  it('a neglected site shows exactly its flaws', async () => {
    const old = testCertificate({ covers: ['old.example'], key: 'rsa2048', fromDay: -400, toDay: -35 });
    server = await startNginx(
      `ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers ALL@SECLEVEL=0; autoindex on;
       add_header Access-Control-Allow-Origin $http_origin; add_header Access-Control-Allow-Credentials true;
       add_header Set-Cookie "PHPSESSID=abc; path=/"; add_header Strict-Transport-Security "max-age=600";
       location = /server-status { default_type text/plain; return 200 "Active connections: 1 \\nserver accepts"; }`,
      { certificate: old.certificate, key: old.key },
      {
        'index.html': page.replace('</body>', '<script src="http://cdn.example/x.js"></script></body>'),
        '.env': 'DB_PASSWORD=hunter2\n',
        '.git/config': '[core]\n\tbare = false\n',
        'backup.sql': 'CREATE TABLE patients (id int);\n',
      },
    );
    const observations = await scan(`${name}:${server.port}`);
    expect(aboveInfo(observations)).toEqual([
      'cookies.session_not_httponly',
      'cookies.session_not_secure',
      'cookies.session_samesite',
      'cors.reflects_origin',
      'csp.missing',
      'exposure.backup',
      'exposure.secrets_file',
      'exposure.server_status',
      'exposure.version_control',
      'headers.cacheable_session',
      'headers.cross_origin_isolation',
      'headers.framing_unrestricted',
      'headers.nosniff_missing',
      'headers.permissions_policy_missing',
      'headers.referrer_policy',
      'headers.version_banner',
      'page.no_integrity',
      'tls.certificate_expired',
      'tls.certificate_untrusted',
      'tls.legacy_protocol',
      'tls.name_mismatch',
      'tls.weak_cipher',
      'transport.hsts_short',
      'transport.mixed_content',
    ]);
    expect(JSON.stringify(observations)).not.toContain('hunter2');
  });
});
