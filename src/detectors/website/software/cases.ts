import type { WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { answering, captureWith, notSeen, pageWith, response, seen } from '../hardened-capture.ts';

const origin = 'https://portal.example.com';

const page = (title: string, body = '') =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** A path, its content, and the check that it fails. */
const shown: readonly (readonly [path: string, body: string, check: string])[] = [
  [
    '/wp-admin/install.php',
    page('WordPress &rsaquo; Installation', '<form id="setup"><input name="weblog_title">'),
    'installer',
  ],
  ['/phpmyadmin/', page('phpMyAdmin', '<input name="pma_username">'), 'database_console'],
  ['/manager/html', page('/manager', '<h1>Tomcat Web Application Manager</h1>'), 'admin_console'],
  ['/metrics', '# HELP up Up.\n# TYPE up gauge\nup 1\n', 'metrics'],
  [
    '/debug/pprof/',
    '<html><head><title>/debug/pprof/</title></head><body>Types of profiles available:',
    'debugger',
  ],
  ['/wp-json/wp/v2/users', '[{"id":1,"name":"ada","slug":"ada","avatar_urls":{}}]', 'user_list'],
  ['/xmlrpc.php', 'XML-RPC server accepts POST requests only.', 'xml_rpc'],
  ['/readme.html', page('WordPress &rsaquo; ReadMe', '<h1>Version 4.9'), 'version_shown'],
];

const all = [
  ...['installer', 'database_console', 'admin_console', 'metrics', 'debugger', 'default_page', 'user_list'],
  ...['xml_rpc', 'version_shown'],
].map(name => `exposure.${name}`);

const grafana = page(
  'Grafana',
  '<script>window.grafanaBootData = {"user":{"isSignedIn":false,"orgRole":""}}</script>',
);

const scriptOf = (body: string) => ({
  url: `${origin}/main.js`,
  response: seen(response(`${origin}/main.js`, { body })),
});

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  ...shown.map(([path, body, check]) => ({
    name: path,
    capture: answering({ [path]: body }),
    expected: [{ check: `exposure.${check}`, locator: origin + path }],
  })),
  {
    name: 'a page with the scripts of a development server',
    capture: captureWith({
      scripts: seen([
        scriptOf('"./node_modules/webpack-dev-server/client/index.js?protocol=ws%3A&hostname=0.0.0.0"'),
      ]),
    }),
    expected: [{ check: 'exposure.debugger', locator: `${origin}/` }],
  },
  {
    name: 'a page whose script names a development server',
    capture: captureWith({ scripts: seen([scriptOf('console.log("webpack-dev-server/client")')]) }),
    expected: [],
  },
  {
    name: 'the default page of a server',
    capture: pageWith({ body: page('Welcome to nginx!', '<h1>Welcome to nginx!</h1>') }),
    expected: [{ check: 'exposure.default_page', locator: `${origin}/` }],
  },
  {
    name: 'a generator tag with a version, and one without',
    capture: pageWith({ body: '<!doctype html><meta name="generator" content="WordPress 6.4.2"><p>Hello' }),
    expected: [{ check: 'exposure.version_shown', locator: `${origin}/` }],
  },
  {
    name: 'a generator tag without a version',
    capture: pageWith({ body: '<!doctype html><meta name="generator" content="Hugo"><p>Hello' }),
    expected: [],
  },
  {
    name: 'a login page where the site is the program itself',
    capture: pageWith({ body: grafana }),
    expected: [],
  },
  {
    name: 'a program below a path, with a login and without one',
    capture: answering({
      '/dashboard/': grafana,
      '/admin/': grafana.replace('"orgRole":""', '"orgRole":"Viewer"'),
    }),
    expected: [
      { check: 'exposure.metrics', locator: `${origin}/dashboard/`, severity: 'low' },
      { check: 'exposure.metrics', locator: `${origin}/admin/` },
    ],
  },
  {
    name: 'a console that requires a password',
    capture: answering({
      '/manager/html': { status: 401, body: '<h1>401 Unauthorized</h1> conf/tomcat-users.xml' },
    }),
    expected: [{ check: 'exposure.admin_console', locator: `${origin}/manager/html`, severity: 'low' }],
  },
  {
    name: 'an article about phpMyAdmin, and an installer that is finished',
    capture: answering({
      '/phpmyadmin/': page('How to use phpMyAdmin', '<a href="/a">a</a><a href="/b">b</a>'),
      '/core/install.php': page(
        'Drupal already installed | Drupal',
        '<body class="install-page">already installed',
      ),
    }),
    expected: [],
  },
  ...[
    page('AWStats', '<meta name="description" content="AWStats Log Analyzer official documentation">'),
    page('CMAKE_BUILD_TYPE &#8212; CMake'),
    page('Traefik Proxy Documentation - Traefik'),
    page(
      'Install',
      '<h2 id="disk-installation">Installation</h2> <h2>Unlock Jenkins</h2> initialAdminPassword',
    ),
    page('Argo CD', '<meta name="generator" content="mkdocs-1.5.3, mkdocs-material-9.4.1">'),
    page('How-To', '<h2>Tomcat Web Application Manager How To</h2> Login to Cacti, RabbitMQ Management'),
  ].map(body => ({
    name: `documentation: ${body.slice(34, 70)}`,
    capture: pageWith({ body }),
    expected: [],
  })),
  {
    name: 'a site that shows the same program for every path',
    capture: answering({ '/dashboard/': grafana, '/metrics': grafana }, { status: 200, body: grafana }),
    expected: [],
  },
  {
    name: 'paths that were not answered',
    capture: answering({ '/metrics': { status: 500, body: '' } }),
    expected: [],
    notAssessed: ['exposure.metrics'],
  },
  {
    name: 'no paths',
    capture: captureWith({ exposure: notSeen() }),
    expected: [],
    notAssessed: all,
  },
];
