import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Place, places } from '../../src/detectors/remediation/places.ts';
import { canTest } from '../support/can-test.ts';
import { recordParser } from './recorded.ts';
import { stepsParsedBy } from './steps.ts';
import { languages } from './syntax/languages.ts';
import type { Parser, Snippet } from './syntax/parser.ts';
import { servers } from './syntax/servers.ts';

/** Code that each parser must reject. */
const broken: Readonly<Record<string, readonly Snippet[]>> = {
  nginx: [{ place: 'nginx.server', code: 'server_tokens of;' }],
  Apache: [{ place: 'apache.host', code: 'Header always sett X-Frame-Options "DENY"' }],
  Caddy: [{ place: 'caddy.site', code: 'headers X-Frame-Options "DENY"' }],
  lighttpd: [{ place: 'lighttpd.file', code: 'dir-listing.activate = disable' }],
  HAProxy: [{ place: 'haproxy.frontend', code: '  http-response set-headers X-Frame-Options DENY' }],
  'Node.js': [
    { place: 'express.app', code: "res.set('Content-Security-Policy', 'frame-ancestors 'self'');" },
  ],
  PHP: [
    { place: 'php.ini', code: 'session.cookie_secured = 1' },
    { place: 'php.code', code: '<?= htmlspecialchars($a ?>' },
  ],
  Python: [{ place: 'django.settings', code: 'DEBUG = False,,' }],
  Ruby: [{ place: 'rails.production', code: 'config.force_ssl = = true' }],
  'named-checkzone': [{ place: 'dns.zone', code: 'example.com. TXTT "v=spf1 -all"' }],
  'named-checkconf': [{ place: 'bind.file', code: 'zone "example.com" { dnssec-policies default; };' }],
  bash: [{ place: 'shell', code: 'if true; then echo' }],
};

describe.each([...servers, ...languages])('$name', parser => {
  const snippets = stepsParsedBy(parser.name).map(({ name, step }) => ({ ...step, name }));

  it.skipIf(!isInstalled(parser))('accepts every fix, and rejects invalid code', async () => {
    const wrong = broken[parser.name];
    if (wrong === undefined) throw new Error(`Nothing is known that ${parser.name} refuses.`);
    const folder = await mkdtemp(join(tmpdir(), 'syntax-'));
    try {
      const refusals = await parser.refusals(snippets, folder);
      expect(
        refusals.flatMap((refusal, index) => (refusal ? [`${snippets[index]?.name}: ${refusal}`] : [])),
      ).toEqual([]);
      const first = snippets.slice(0, 1);
      expect(await parser.refusals([...first, ...wrong], folder)).toEqual([
        ...first.map(() => null),
        ...wrong.map(() => expect.stringMatching(/\w/)),
      ]);
      await recordParser(parser.name, await parser.version());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

it('parses all code for which there is a parser', () => {
  const named = new Set(Object.values(places).map(({ parser }: Place) => parser));
  // The databases themselves parse their fixes.
  const elsewhere = [null, 'PostgreSQL', 'MariaDB', 'Redis'];
  expect([...named].filter(name => !elsewhere.includes(name)).sort()).toEqual(
    [...servers, ...languages].map(({ name }) => name).sort(),
  );
});

function isInstalled({ name, program }: Parser): boolean {
  const found = !spawnSync(program, ['--version']).error;
  return canTest(found, `${program} is not installed; the syntax of fixes is not checked with ${name}`);
}
