import { expect, it } from 'vitest';
import type { FoundFirewall } from './configuration/find-firewalls.ts';
import { exampleFor } from './example.ts';
import { parseForwarderFile } from './forwarder-settings.ts';

const minimal = `name: edge
service: { url: https://parapet.example.com }
logs:
  - { engine: modsecurity3, path: /var/log/audit.log }
`;

/** The mistakes of a file, each with its line. */
function mistakesOf(text: string): string[] {
  try {
    parseForwarderFile(text, 'f');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const nginx = (storage: string | null): FoundFirewall => ({
  engine: 'modsecurity3',
  server: 'nginx',
  mode: 'block',
  auditLog: { path: '/var/log/nginx/audit "1".log', format: 'json', storage },
  ruleSet: null,
  book: new Map(),
  changes: [],
});
const crowdsec = { engine: 'crowdsec', api: 'http://127.0.0.1:8080' } as const;

it('reads the example of found firewalls', () => {
  expect(parseForwarderFile(exampleFor([nginx(null), crowdsec]))).toEqual({
    name: 'edge',
    service: {
      url: 'https://parapet.example.com',
      brand: 'service',
      keyFile: '/etc/parapet/shield-key.json',
      authorities: undefined,
      proxy: undefined,
    },
    spool: { folder: '/var/lib/parapet-shield', maxBytes: 64 * 1024 * 1024, maxAgeSeconds: 14 * 86_400 },
    heartbeatSeconds: 60,
    strip: { clients: 'network' },
    logs: [{ engine: 'modsecurity3', path: '/var/log/nginx/audit "1".log', storage: undefined }],
    crowdsec: {
      url: 'http://127.0.0.1:8080',
      machine: undefined,
      bouncerKey: { file: '/etc/parapet/crowdsec-bouncer-key' },
    },
    root: '/',
  });
});

it('reads the example of a firewall below another root, with a concurrent log', () => {
  const { root, logs } = parseForwarderFile(exampleFor([nginx('/var/log/records')], '/mnt/edge'));
  expect([root, logs]).toEqual([
    '/mnt/edge',
    [
      {
        engine: 'modsecurity3',
        path: '/mnt/edge/var/log/nginx/audit "1".log',
        storage: '/mnt/edge/var/log/records',
      },
    ],
  ]);
});

it('needs a log or CrowdSec, which the example explains', () => {
  const example = exampleFor([]);
  expect(mistakesOf(example)).toEqual([expect.stringMatching(/f:1: logs or crowdsec is needed/)]);
  const all = example.replaceAll(/^# ?(?=(?:logs|crowdsec|hosts):| {2})/gm, '');
  expect(parseForwarderFile(all)).toMatchObject({
    strip: { clients: 'network', hosts: ['shop.example.com'] },
    logs: [{ engine: 'modsecurity3', path: '/var/log/modsec_audit.log' }],
    crowdsec: { url: 'http://127.0.0.1:8080' },
  });
});

it.each([
  ['name: Edge', minimal.replace('edge', 'Edge'), /f:1: name/],
  ['an engine', minimal.replace('modsecurity3', 'naxsi'), /f:4: .*engine/],
  ['a relative path', minimal.replace('/var', 'var'), /f:4: .*path/],
  ['an unknown setting', `${minimal}color: red\n`, /f:5: color/],
  ['an unknown setting of a log', minimal.replace('path:', 'size: 1, path:'), /f:4: .*size/],
  ['clients', `${minimal}clients: some\n`, /f:5: clients/],
  ['hosts', `${minimal}hosts: [Shop.example]\n`, /f:5: hosts/],
  ['a relative root', `${minimal}root: mnt\n`, /f:5: root/],
  ['CrowdSec without a login', `${minimal}crowdsec: { url: "http://127.0.0.1:8080" }\n`, /f:5: .*machine/],
  ['CrowdSec with a path', `${minimal}crowdsec: { url: "http://a/b", bouncer_key_file: /k }\n`, /f:5: .*url/],
  ['a machine without a password', `${minimal}crowdsec: { machine: m }\n`, /f:5: .*machine_password/],
  ['logs that are text', minimal.replace(/logs:[\s\S]*/, 'logs: a\n'), /f:3: logs must be a list/],
  ['logs without a value', minimal.replace(/logs:[\s\S]*/, 'logs:\n'), /f:3: logs or crowdsec is needed/],
  [
    'two logs of an engine',
    `${minimal}  - { engine: coraza, path: /l }\n  - { engine: modsecurity3, path: /l }\n`,
    /f:6: logs\[2\]\.engine is that of another log/,
  ],
])('names the mistake and its line: %s', (_, text, expected) => {
  expect(mistakesOf(text)).toEqual([expect.stringMatching(expected)]);
});
