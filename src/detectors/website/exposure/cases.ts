import type { HttpResponse, WebsiteEvidence } from '../../../evidence/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { evidenceWith, exposureWith, notSeen, response, seen } from '../hardened-evidence.ts';

const origin = 'https://portal.example.com';
const answers = (
  bodies: Record<string, string | Partial<HttpResponse>>,
  control: Partial<HttpResponse> = {},
) =>
  evidenceWith({
    exposure: exposureWith(
      Object.fromEntries(
        Object.entries(bodies).map(([path, body]) => [path, typeof body === 'string' ? { body } : body]),
      ),
      control,
    ),
  });
const all = [
  'version_control',
  'secrets_file',
  'backup',
  'actuator',
  'server_status',
  'phpinfo',
  'ds_store',
  'crossdomain',
  'source_map',
  'graphql_introspection',
  'api_documentation',
  'security_txt_missing',
].map(name => `exposure.${name}`);
const graphqlPath = '/graphql?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D';
const friendly = '<!doctype html><title>Oops</title>We could not find /.env, but APP_KEY=yes';
const map = '{"version":3,"file":"app.js","sources":["src/app.ts"],"mappings":"AAAA"}';

function withSourceMap(path: string, body: string): WebsiteEvidence {
  const { exposure } = evidenceWith();
  if (!exposure.assessed) throw new Error('the hardened site is assessed');
  const probe = { path, kind: 'source_map', response: seen(response(origin + path, { body })) } as const;
  return evidenceWith({ exposure: seen({ ...exposure.value, probes: [...exposure.value.probes, probe] }) });
}

export const cases: readonly GoldenCase<WebsiteEvidence>[] = [
  { name: 'hardened site', evidence: evidenceWith(), expected: [] },
  {
    name: 'repositories',
    evidence: answers({
      '/.git/config': '[core]\n\trepositoryformatversion = 0\n',
      '/.git/HEAD': 'ref: refs/heads/main\n',
      '/.svn/entries': '12\n',
      '/.svn/wc.db': 'SQLite format 3\0\x10',
      '/.hg/requires': 'dotencode\nfncache\n',
    }),
    expected: ['/.git/', '/.svn/', '/.hg/'].map(path => ({
      check: 'exposure.version_control',
      locator: origin + path,
    })),
  },
  {
    name: 'files with secrets',
    evidence: answers({
      '/.env': 'APP_ENV=production\nDB_PASSWORD=hunter2hunter2\n',
      '/.aws/credentials': '[default]\naws_access_key_id = EXAMPLE\n',
      '/.npmrc': '//registry.example/:_authToken=EXAMPLE\n',
      '/.htpasswd': 'admin:$apr1$salt$hash\n',
      '/id_rsa': '-----BEGIN OPENSSH PRIVATE KEY-----\n',
      '/wp-config.php.bak': "<?php\ndefine('DB_PASSWORD', 'x');\n",
    }),
    expected: ['/.env', '/.aws/credentials', '/.npmrc', '/.htpasswd', '/id_rsa', '/wp-config.php.bak'].map(
      path => ({ check: 'exposure.secrets_file', locator: origin + path }),
    ),
  },
  {
    name: 'every path gets the same friendly page',
    evidence: answers(
      { '/.env': friendly, '/.git/config': friendly, '/backup.zip': friendly },
      { status: 200, body: friendly },
    ),
    expected: [],
  },
  {
    name: 'a site that echoes an environment for every path',
    evidence: answers({ '/.env': 'APP_ENV=demo\n' }, { status: 200, body: 'APP_ENV=demo\n' }),
    expected: [],
  },
  {
    name: 'a forbidden file is not exposed, whatever the body says',
    evidence: answers({ '/.git/config': { status: 403, body: '[core]\n' } }),
    expected: [],
  },
  {
    name: 'a public key and an example file hold no secret',
    evidence: answers({ '/server.key': '-----BEGIN PUBLIC KEY-----\n', '/.env': '# nothing here\n' }),
    expected: [],
  },
  {
    name: 'archives and dumps',
    evidence: answers({
      '/backup.zip': { status: 206, body: 'PK\x03\x04\x14' },
      '/backup.tar.gz': '\x1f\x8b\x08',
      '/dump.sql': '-- MySQL dump 10.13\n',
      '/db.sqlite3': 'SQLite format 3\0',
    }),
    expected: ['/backup.zip', '/backup.tar.gz', '/dump.sql', '/db.sqlite3'].map(path => ({
      check: 'exposure.backup',
      locator: origin + path,
    })),
  },
  {
    name: 'actuator',
    evidence: answers({
      '/actuator': '{"_links":{"heapdump":{"href":"https://portal.example.com/actuator/heapdump"}}}',
      '/actuator/env': '{"activeProfiles":[],"propertySources":[]}',
    }),
    expected: ['exposure.actuator', 'exposure.actuator'],
  },
  {
    name: 'an actuator that offers health only',
    evidence: answers({ '/actuator': '{"_links":{"self":{},"health":{}}}' }),
    expected: [],
  },
  {
    name: 'status pages and phpinfo',
    evidence: answers({
      '/server-status': '<html><h1>Apache Server Status for localhost</h1>',
      '/nginx_status': 'Active connections: 3 \n',
      '/phpinfo.php': '<!DOCTYPE html><head><title>PHP 8.2.7 - phpinfo()</title>',
    }),
    expected: ['exposure.server_status', 'exposure.server_status', 'exposure.phpinfo'],
  },
  {
    name: 'small leaks',
    evidence: answers({
      '/.DS_Store': '\0\0\0\x01Bud1\0',
      '/crossdomain.xml':
        '<?xml version="1.0"?><cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>',
      [graphqlPath]: '{"data":{"__schema":{"queryType":{"name":"Query"}}}}',
      '/openapi.json': '{"openapi":"3.1.0","info":{}}',
    }),
    expected: [
      'exposure.ds_store',
      'exposure.crossdomain',
      { check: 'exposure.graphql_introspection', locator: `${origin}/graphql` },
      'exposure.api_documentation',
    ],
  },
  {
    name: 'a cross-domain policy with names',
    evidence: answers({
      '/crossdomain.xml':
        '<cross-domain-policy><allow-access-from domain="a.example"/></cross-domain-policy>',
    }),
    expected: [],
  },
  {
    name: 'source map',
    evidence: withSourceMap('/assets/app.3f2a9c1b.js.map', map),
    expected: [{ check: 'exposure.source_map', locator: `${origin} source map` }],
  },
  { name: 'no source map', evidence: withSourceMap('/app.js.map', '<!doctype html>'), expected: [] },
  {
    name: 'no security.txt',
    evidence: answers({ '/.well-known/security.txt': { status: 404, body: 'no' } }),
    expected: [{ check: 'exposure.security_txt_missing', locator: origin }],
  },
  {
    name: 'security.txt in the older place',
    evidence: answers({
      '/.well-known/security.txt': { status: 404, body: 'no' },
      '/security.txt': 'Contact: https://example.com/report\n',
    }),
    expected: [],
  },
  {
    name: 'security.txt that redirects',
    evidence: answers({
      '/.well-known/security.txt': { status: 301, headers: [['location', 'https://example.com/s']] },
    }),
    expected: [],
    notAssessed: ['exposure.security_txt_missing'],
  },
  {
    name: 'the site stopped answering half way',
    evidence: evidenceWith({
      exposure: exposureWith({
        '/.env': { body: 'DB_PASSWORD=hunter2hunter2\n' },
        '/.npmrc': 'not seen',
        '/backup.sql': 'not seen',
      }),
    }),
    expected: ['exposure.secrets_file'],
    notAssessed: ['exposure.secrets_file', 'exposure.backup'],
  },
  {
    name: 'no control to compare with',
    evidence: evidenceWith({
      exposure: seen({
        origin,
        control: notSeen(),
        probes: [
          {
            path: '/.env',
            kind: 'secrets_file',
            response: seen(response(`${origin}/.env`, { body: 'KEY_A=b\n' })),
          },
        ],
        left_out: [],
      }),
    }),
    expected: [],
    notAssessed: ['exposure.secrets_file', 'exposure.security_txt_missing'],
  },
  {
    name: 'nothing answered',
    evidence: evidenceWith({ exposure: notSeen() }),
    expected: [],
    notAssessed: all,
  },
];
