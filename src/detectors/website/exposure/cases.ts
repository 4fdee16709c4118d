import type { ExposureCapture, HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  answering,
  captureWith,
  controlsWith,
  exposureWith,
  notSeen,
  response,
  seen,
} from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
const all = [
  'source_copy',
  'shell_history',
  'log_file',
  'development_file',
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
/**
 * A firewall answers from the middle on: the first files are exposed or not found, all others but one are
 * blocked.
 */
function midwayBlocked(answer: Partial<HttpResponse>): ExposureCapture {
  const { exposure } = answering({ '/.git/config': '[core]\n' });
  if (!exposure.assessed) throw new Error('the hardened site is assessed');
  const { probes } = exposure.value;
  const from = probes.findIndex(({ path }) => path === '/.env.local');
  const blocked = probes.map((probe, index) =>
    index < from || probe.kind === 'directory_index_file'
      ? probe
      : { ...probe, response: seen(response(origin + probe.path, { headers: [], ...answer })) },
  );
  return { ...exposure.value, probes: blocked };
}

const friendly = '<!doctype html><title>Oops</title>We could not find /.env, but APP_KEY=yes';
const map = '{"version":3,"file":"app.js","sources":["src/app.ts"],"mappings":"AAAA"}';

const usual = (url: string) => seen(response(url, { headers: [], body: 'APP_KEY=hunter2hunter2\n' }));
const [here, elsewhere] = [`${origin}/.env`, 'https://other.example.com/.env'] as const;
const redirectedToUsualAnswer: ExposureCapture = {
  origin,
  ...controlsWith({ headers: [], body: 'Not found' }),
  probes: [
    {
      path: '/.env',
      kind: 'secrets_file',
      response: seen(response(here, { status: 301, headers: [['location', elsewhere]] })),
    },
  ],
  left_out: [],
  elsewhere: [
    {
      origin: 'https://other.example.com',
      control: usual('https://other.example.com/0123456789abcdef'),
      control_after: usual('https://other.example.com/fedcba9876543210'),
      probes: [{ path: '/.env', kind: 'secrets_file', response: usual(elsewhere) }],
    },
  ],
};

/** Files that only full scans request, with a secret and without one. */
const deepSecrets: Readonly<Record<string, readonly [real: string, harmless: string]>> = {
  '/api/.env': ['APP_KEY=hunter2hunter2\n', 'not found'],
  '/.env.staging': ['export TOKEN=a1b2c3\n', '# nothing here yet\n'],
  '/.ssh/id_rsa': ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n', 'ssh-rsa AAAAB3NzaC1yc2E= me\n'],
  '/service-account.json': [
    '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\nMII"}',
    '{"type":"service_account"}',
  ],
  '/.git-credentials': ['https://deploy:hunter2hunter2@git.example.com\n', 'https://git.example.com\n'],
  '/.netrc': ['machine ftp.example.com login a password hunter2hunter2\n', 'machine ftp.example.com\n'],
  '/.pgpass': ['db.example.com:5432:*:app:hunter2hunter2\n', '# host:port:database:user:password\n'],
  '/.my.cnf': ['[client]\nuser=app\npassword = hunter2hunter2\n', '[client]\nuser=app\n'],
  '/.pypirc': ['[pypi]\nusername = __token__\npassword = a1b2c3\n', '[pypi]\nusername = __token__\n'],
  '/.docker/config.json': ['{"auths":{"r.example":{"auth":"aHVudGVyMg=="}}}', '{"credsStore":"desktop"}'],
  '/.kube/config': ['kind: Config\nusers:\n- user:\n    token: a1b2c3\n', 'kind: Config\nusers: []\n'],
  '/sftp-config.json': ['{"host": "a", "password": "hunter2hunter2"}', '{"host": "a", "password": ""}'],
  '/wp-config.old': [`<?php define('DB_PASSWORD', 'hunter2hunter2');`, '<?php phpinfo();'],
  '/config.php.bak': [`<?php $dbpass = 'hunter2hunter2';`, `<?php $title = 'Clinic';`],
  '/settings.py': [`SECRET_KEY = 'hunter2hunter2'\n`, `SECRET_KEY = os.environ['SECRET_KEY']\n`],
  '/config/database.yml': [
    'production:\n  adapter: postgresql\n  password: hunter2hunter2\n',
    'production:\n  adapter: postgresql\n  password: <%= ENV["PASSWORD"] %>\n',
  ],
  '/config/secrets.yml': [
    `production:\n  secret_key_base: ${'a1b2c3'.repeat(20)}\n`,
    'production:\n  secret_key_base: <%= ENV["SECRET_KEY_BASE"] %>\n',
  ],
  '/config/master.key': ['a1b2c3a1b2c3a1b2c3a1b2c3a1b2c3a1', 'Not found'],
  '/application.properties': [
    'spring.datasource.password=hunter2hunter2\n',
    `spring.datasource.password=\${DB_PASSWORD}\n`,
  ],
  '/appsettings.json': [
    '{"ConnectionStrings":{"Main":"Server=db;User=app;Password=hunter2hunter2;"}}',
    '{"ConnectionStrings":{"Main":"Server=db;Integrated Security=true;"}}',
  ],
  '/auth.json': [
    '{"http-basic":{"repo.example.com":{"username":"a","password":"hunter2hunter2"}}}',
    '{"http-basic":{}}',
  ],
  '/config.json': [
    '{"production":{"password":"hunter2hunter2","host":"db","dialect":"mysql"}}',
    '{"server":"Server","password":"Passwort"}',
  ],
  '/sitemanager.xml': [
    '<FileZilla3><Server><Host>a.example.com</Host><Pass encoding="base64">aHVudGVy</Pass></Server></FileZilla3>',
    '<FileZilla3><Settings></Settings></FileZilla3>',
  ],
  '/.s3cfg': ['[default]\nsecret_key = hunter2hunter2\n', '[default]\nbucket_location = US\n'],
  '/.vault-token': [`hvs.${'a1B2'.repeat(10)}`, 'Not found'],
  '/terraform.tfstate': ['{"version":4,"terraform_version":"1.9.5","resources":[]}', '{"version":4}'],
  '/docker-compose.yml': [
    'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: hunter2hunter2\n',
    `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: \${PASSWORD}\n`,
  ],
};

/** Files that are a finding of another kind if they contain no secret. */
const withoutSecret: Readonly<Record<string, readonly string[]>> = {
  '/wp-config.old': ['exposure.source_copy'],
  '/config.php.bak': ['exposure.source_copy'],
  '/docker-compose.yml': ['exposure.development_file'],
};

const otherFiles: readonly (readonly [path: string, body: string, check: string])[] = [
  ['/index.php~', '<?php\nrequire "app.php";\n', 'source_copy'],
  ['/.index.php.swp', 'b0VIM 8.2\0\0\0', 'source_copy'],
  ['/keystore.jks', '\xfe\xed\xfe\xed\0\0\0\x02', 'secrets_file'],
  ['/core', '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\x3e\0', 'backup'],
  ['/yarn-error.log', 'Arguments: \n\nYarn version: \n  1.22.4\n', 'development_file'],
  ['/server-statistics', 'fastcgi.active-requests: 2\n', 'server_status'],
  ['/env', '{"profiles":[],"systemProperties":{"java.version":"1.8"}}', 'actuator'],
  [
    '/laravel.log',
    '[2026-03-12 08:14:02] local.ERROR: Class not found\n[stacktrace]\n#0 /a.php(2)\n#1 {main}\n',
    'log_file',
  ],
  ['/backup.dump', 'PGDMP\x01\x0e\0', 'backup'],
  ['/dump.rdb', 'REDIS0011\xfa\tredis-ver', 'backup'],
  ['/backup.tar.bz2', 'BZh91AY&SY', 'backup'],
  ['/backup.bak', 'TAPE\0\0\x03\0', 'backup'],
  ['/terraform.tfvars', 'db_user     = "portal"\ndb_password = "Zx81Zx82Zx83"\n', 'secrets_file'],
  [
    '/web.config.bak',
    '<?xml version="1.0"?>\n<configuration><connectionStrings><add connectionString="Server=a;Password=Zx81Zx82" />',
    'secrets_file',
  ],
  [
    '/compose.yaml',
    'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: Zx81Zx82\n',
    'secrets_file',
  ],
  ['/.node_repl_history', "process.env\nrequire('./db')\n", 'shell_history'],
  ['/.bash_history', 'cd /var/www\nsudo systemctl restart nginx\nvim .env\n', 'shell_history'],
  ['/.zsh_history', ': 1760000000:0;git pull\n: 1760000009:0;npm ci\n', 'shell_history'],
  [
    '/error.log',
    '2026/11/20 10:00:00 [error] 12#12: *1 open() failed\n2026/11/20 10:00:09 [warn] 12#12: *2 slow\n',
    'log_file',
  ],
  [
    '/storage/logs/laravel.log',
    '[2026-11-20 10:00:00] production.ERROR: Undefined index\n#0 /var/www/app.php(3)\n[2026-11-20 10:00:01] production.ERROR: again\n',
    'log_file',
  ],
  ['/composer.lock', '{"_readme":["a"],"content-hash":"0123","packages":[]}', 'development_file'],
  ['/Dockerfile', 'FROM node:22\nCOPY . .\n', 'development_file'],
];

function withSourceMap(path: string, body: string): WebsiteCapture {
  const { exposure } = captureWith();
  if (!exposure.assessed) throw new Error('the hardened site is assessed');
  const probe = { path, kind: 'source_map', response: seen(response(origin + path, { body })) } as const;
  return captureWith({ exposure: seen({ ...exposure.value, probes: [...exposure.value.probes, probe] }) });
}

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'repositories',
    capture: answering({
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
  ...Object.entries(deepSecrets).map(([path, [real]]) => ({
    name: `${path}, as it is`,
    capture: answering({ [path]: real }),
    expected: [{ check: 'exposure.secrets_file', locator: origin + path }],
  })),
  ...Object.entries(deepSecrets).map(([path, [, harmless]]) => ({
    name: `${path} without a secret`,
    capture: answering({ [path]: harmless }),
    expected: withoutSecret[path] ?? [],
  })),
  ...otherFiles.map(([path, body, check]) => ({
    name: `${path}: ${check}`,
    capture: answering({ [path]: body }),
    expected: [{ check: `exposure.${check}`, locator: origin + path }],
  })),
  {
    name: 'files of other kinds than their path suggests',
    capture: answering({
      '/error.log': 'DB_PASSWORD',
      '/index.php~': 'Not found',
      '/.bash_history': 'Nothing here',
    }),
    expected: [],
    notAssessed: ['exposure.log_file'],
  },
  ...[
    'DB_PASSWORD = hunter2hunter2\n',
    '# shop\n\ndb_password=hunter2hunter2\nport=80\n',
    '\xef\xbb\xbfDB_PASSWORD=hunter2hunter2\n',
    '\xff\xfeD\0B\0_\0K\0E\0Y\0=\0x\0',
    'declare -x DB_PASSWORD="hunter2hunter2"\r\n',
    {
      headers: [['content-type', 'text/plain']] as const,
      body: '<script>alert(1)</script>\nDB_PASSWORD=v4lu3\n',
    },
  ].map((file, index) => ({
    name: `an environment file in another format (${index})`,
    capture: answering({ '/.env': file }),
    expected: [{ check: 'exposure.secrets_file', locator: `${origin}/.env` }],
  })),
  {
    name: 'a repository whose configuration starts with a comment and another section',
    capture: answering({
      '/.git/config': '\xef\xbb\xbf# by hand\n[safe]\n\tdirectory = *\n[Core]\n\tbare = false\n',
    }),
    expected: [{ check: 'exposure.version_control', locator: `${origin}/.git/` }],
  },
  {
    name: 'files of unknown formats',
    capture: answering({
      '/.env': 'DB_PASSWORD: hunter2hunter2\n',
      '/.git/HEAD': 'v4lu3\n',
      '/backup.sql': 'BEGIN TRANSACTION;\n',
    }),
    expected: [],
    notAssessed: ['exposure.version_control', 'exposure.secrets_file', 'exposure.backup'],
  },
  {
    name: 'a JSON response or page that says not found',
    capture: answering({
      '/.env': '{"error":"no such file"}',
      '/.git/config': { headers: [['content-type', 'text/html']], body: 'Nothing here' },
      '/backup.sql': '<!doctype html><title>Shop</title><a href=/shoes>Shoes</a><a href=/hats>Hats</a>',
    }),
    expected: [],
  },
  {
    name: 'every path returns the same text, with an ID and the path',
    capture: answering(
      {
        '/.env': 'No such file: /.env (request 0123456789ab)',
        '/backup.sql': 'No such file: /backup.sql (17)',
      },
      { status: 200, headers: [], body: 'No such file: /0123456789abcdef (request ba9876543210)' },
    ),
    expected: [],
  },
  {
    name: 'every path returns an empty response',
    capture: answering(
      Object.fromEntries(
        ['/.env', '/.git/config', '/backup.sql', '/actuator', '/security.txt'].map(path => [path, '']),
      ),
      { status: 200, body: '' },
    ),
    expected: [],
    notAssessed: ['version_control', 'secrets_file', 'backup', 'actuator'].map(name => `exposure.${name}`),
  },
  {
    name: 'a file that is compressed twice',
    capture: answering(
      Object.fromEntries(
        ['/.env', '/.git/config', '/backup.sql', '/backup.tar.gz', '/actuator'].map(path => [
          path,
          '\x1f\x8b\x08 abc',
        ]),
      ),
      { status: 200, headers: [], body: '\x1f\x8b\x08 abc' },
    ),
    expected: [],
    notAssessed: ['version_control', 'secrets_file', 'backup', 'actuator'].map(name => `exposure.${name}`),
  },
  {
    name: 'paths that only full scans request',
    capture: answering({
      '/app/.git/config': '[core]\n\tbare = false\n',
      '/portal.example.com.zip': 'PK\x03\x04',
      '/backup.7z': '7z\xbc\xaf\x27\x1c',
      '/backup.rar': 'Rar!\x1a\x07\x01',
      '/backup.tar': `${'x'.repeat(257)}ustar\0`,
      '/server-info': '<title>Server Information</title>',
      '/fpm-status': 'pool:                 www\nprocess manager:      dynamic\n',
      '/clientaccesspolicy.xml': '<?xml version="1.0"?><access-policy><domain uri="*"/></access-policy>',
      '/openapi.yaml': 'openapi: 3.1.0\ninfo:\n  title: Claims\n',
    }),
    expected: [
      { check: 'exposure.version_control', locator: `${origin}/app/.git/` },
      'exposure.backup',
      'exposure.backup',
      'exposure.backup',
      'exposure.backup',
      'exposure.server_status',
      'exposure.server_status',
      'exposure.crossdomain',
      'exposure.api_documentation',
    ],
  },
  {
    name: 'files with secrets',
    capture: answering({
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
    name: 'every path returns the same page',
    capture: answering(
      { '/.env': friendly, '/.git/config': friendly, '/backup.zip': friendly },
      { status: 200, body: friendly },
    ),
    expected: [],
  },
  {
    name: 'a site that returns an environment file for every path',
    capture: answering({ '/.env': 'APP_ENV=demo\n' }, { status: 200, body: 'APP_ENV=demo\n' }),
    expected: [],
    notAssessed: ['exposure.secrets_file'],
  },
  {
    name: 'a forbidden file, whatever its body contains',
    capture: answering({ '/.git/config': { status: 403, body: '[core]\n' } }),
    expected: [],
  },
  {
    name: 'a public key and an example file',
    capture: answering({ '/server.key': '-----BEGIN PUBLIC KEY-----\n', '/.env': '# nothing here\n' }),
    expected: [],
  },
  {
    name: 'archives and dumps',
    capture: answering({
      '/backup.zip': { status: 206, body: 'PK\x03\x04\x14' },
      '/backup.tar.gz': '\x1f\x8b\x08',
      '/dump.sql': '-- MySQL dump 10.13\n',
      '/db.sqlite3': 'SQLite format 3\0',
    }),
    expected: ['/backup.zip', '/dump.sql', '/backup.tar.gz', '/db.sqlite3'].map(path => ({
      check: 'exposure.backup',
      locator: origin + path,
    })),
  },
  {
    name: 'actuator',
    capture: answering({
      '/actuator': '{"_links":{"heapdump":{"href":"https://portal.example.com/actuator/heapdump"}}}',
      '/actuator/env': '{"activeProfiles":[],"propertySources":[]}',
    }),
    expected: ['exposure.actuator', 'exposure.actuator'],
  },
  {
    name: 'an actuator with health only',
    capture: answering({ '/actuator': '{"_links":{"self":{},"health":{}}}' }),
    expected: [],
  },
  {
    name: 'status pages and phpinfo',
    capture: answering({
      '/server-status': '<html><h1>Apache Server Status for localhost</h1>',
      '/nginx_status': 'Active connections: 3 \n',
      '/phpinfo.php': '<!DOCTYPE html><head><title>PHP 8.2.7 - phpinfo()</title>',
    }),
    expected: ['exposure.server_status', 'exposure.server_status', 'exposure.phpinfo'],
  },
  {
    name: 'small leaks',
    capture: answering({
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
    name: 'a cross-domain policy with named hosts',
    capture: answering({
      '/crossdomain.xml':
        '<cross-domain-policy><allow-access-from domain="a.example"/></cross-domain-policy>',
    }),
    expected: [],
  },
  {
    name: 'source map',
    capture: withSourceMap('/assets/app.3f2a9c1b.js.map', map),
    expected: [{ check: 'exposure.source_map', locator: `${origin} source map` }],
  },
  { name: 'no source map', capture: withSourceMap('/app.js.map', 'No such file'), expected: [] },
  {
    name: 'no security.txt',
    capture: answering({ '/.well-known/security.txt': { status: 404, body: 'no' } }),
    expected: [{ check: 'exposure.security_txt_missing', locator: origin }],
  },
  {
    name: 'security.txt at the older path',
    capture: answering({
      '/.well-known/security.txt': { status: 404, body: 'no' },
      '/security.txt': 'Contact: https://example.com/report\n',
    }),
    expected: [],
  },
  {
    name: 'security.txt that redirects',
    capture: answering({
      '/.well-known/security.txt': { status: 301, headers: [['location', 'https://example.com/s']] },
    }),
    expected: [],
    notAssessed: ['exposure.security_txt_missing'],
  },
  {
    name: 'the site stopped responding halfway',
    capture: captureWith({
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
    name: 'no control response',
    capture: captureWith({
      exposure: seen({
        origin,
        control: notSeen(),
        control_after: notSeen(),
        probes: [
          {
            path: '/.env',
            kind: 'secrets_file',
            response: seen(response(`${origin}/.env`, { body: 'KEY_A=b\n' })),
          },
        ],
        left_out: [],
        elsewhere: [],
      }),
    }),
    expected: [],
    notAssessed: ['exposure.secrets_file', 'exposure.security_txt_missing'],
  },
  ...[
    { status: 403, body: 'Blocked' },
    { status: 429, body: 'Too many requests' },
    { status: 503, body: 'Unavailable' },
    { body: '<!doctype html><title>Blocked</title>' },
    { status: 302, headers: [['location', '/blocked']] as const, body: '' },
  ].map(blocked => ({
    name: `status ${blocked.status ?? 200} for every path from the middle of the scan on`,
    capture: captureWith({
      exposure: seen({
        ...midwayBlocked(blocked),
        ...controlsWith({}, { status: 200, ...blocked }),
      }),
    }),
    expected: ['exposure.version_control'],
    notAssessed: all.filter(check => !['exposure.source_map', 'exposure.ds_store'].includes(check)),
  })),
  {
    name: 'a site that returns its start page for every path, also at the end of the scan',
    capture: answering({ '/.env': friendly, '/backup.zip': friendly }, { status: 200, body: friendly }),
    expected: [],
  },
  {
    name: 'an application that returns a different short page for every path at the end of the scan',
    capture: captureWith({
      exposure: seen({
        ...midwayBlocked({ body: '<!doctype html><title>Blocked</title>' }),
        ...controlsWith(
          { status: 200, body: `<!doctype html><title>Shop</title>${'<link rel="preload">'.repeat(20)}` },
          { body: '<!doctype html><title>Blocked</title>' },
        ),
      }),
    }),
    expected: ['exposure.version_control'],
    notAssessed: all.filter(check => !['exposure.source_map', 'exposure.ds_store'].includes(check)),
  },
  {
    name: 'a redirect to an origin with the same response for every path',
    capture: captureWith({ exposure: seen(redirectedToUsualAnswer) }),
    expected: [],
    notAssessed: ['exposure.secrets_file', 'exposure.security_txt_missing'],
  },
  {
    name: 'no responses',
    capture: captureWith({ exposure: notSeen() }),
    expected: [],
    notAssessed: all,
  },
];
