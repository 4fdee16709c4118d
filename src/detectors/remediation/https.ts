import { noteOf, type Step } from './step.ts';

const files = {
  certificate: '/etc/letsencrypt/live/example.com/fullchain.pem',
  key: '/etc/letsencrypt/live/example.com/privkey.pem',
};
const ownName = { 'example.com': 'the site’s hostname' };
const ownFolder = { '/var/www/html': 'the site’s document root' };

const needsSsl = 'Requires mod_ssl: `a2enmod ssl`.';

/** Configures common servers with a certificate and its intermediates. @param note about the files */
export function certificateSteps(note?: string): Step[] {
  const step = (place: Step['place'], code: string, own?: string): Step => ({
    place,
    code,
    replace: ownName,
    ...noteOf(own, note),
  });
  return [
    step('nginx.server', `ssl_certificate ${files.certificate};\nssl_certificate_key ${files.key};`),
    step(
      'apache.host',
      `SSLCertificateFile ${files.certificate}\nSSLCertificateKeyFile ${files.key}`,
      'Requires Apache 2.4.8 or newer.',
    ),
    step(
      'caddy.site',
      `tls ${files.certificate} ${files.key}`,
      'Without `tls`, Caddy gets a certificate itself.',
    ),
    nodeServer(),
  ];
}

/**
 * An HTTPS server of Node.js.
 *
 * @param options further options of `https.createServer`, one per line
 * @param rest further lines
 */
export function nodeServer(options: readonly string[] = [], rest: readonly string[] = []): Step {
  return {
    place: 'node.file',
    code: [
      "const { readFileSync } = require('node:fs');",
      "const https = require('node:https');",
      '',
      'const options = {',
      `  cert: readFileSync('${files.certificate}'),`,
      `  key: readFileSync('${files.key}'),`,
      ...options.map(option => `  ${option}`),
      '};',
      'https.createServer(options, app).listen(443);',
      ...rest,
    ].join('\n'),
    replace: ownName,
    note: '`app` is the request handler, such as an Express application.',
  };
}

const nginxRedirect = [
  'server {',
  '  listen 80;',
  '  server_name example.com;',
  '  return 301 https://$host$request_uri;',
  '}',
].join('\n');

const apacheRedirect = [
  '<VirtualHost *:80>',
  '  ServerName example.com',
  '  Redirect permanent / https://example.com/',
  '</VirtualHost>',
].join('\n');

/** Redirects every plain HTTP request to the same host over HTTPS. */
export const redirectToHttps: readonly Step[] = [
  {
    place: 'nginx.http',
    code: nginxRedirect,
    replace: ownName,
    note: 'Replaces the server block for port 80.',
  },
  {
    place: 'apache.server',
    code: apacheRedirect,
    replace: ownName,
    note: 'Replaces the VirtualHost for port 80.',
  },
  {
    place: 'caddy.file',
    code: ['http://example.com {', '  redir https://{host}{uri} permanent', '}'].join('\n'),
    replace: ownName,
    note: 'Caddy does this by default; only `auto_https` or a site block for `http://` turns it off.',
  },
  {
    place: 'express.app',
    code: [
      'app.use((req, res, next) => {',
      '  if (req.secure) return next();',
      "  res.redirect(301, 'https://example.com' + req.originalUrl);",
      '});',
    ].join('\n'),
    replace: ownName,
    note: "Behind a proxy, also `app.set('trust proxy', 1)`.",
  },
  { place: 'haproxy.frontend', code: 'http-request redirect scheme https code 301 unless { ssl_fc }' },
  {
    place: 'iis.web-config',
    code: [
      '<system.webServer>',
      '  <rewrite>',
      '    <rules>',
      '      <rule name="HTTPS" stopProcessing="true">',
      '        <match url=".*" />',
      '        <conditions>',
      '          <add input="{HTTPS}" pattern="off" />',
      '        </conditions>',
      '        <action type="Redirect" url="https://{HTTP_HOST}{REQUEST_URI}" redirectType="Permanent" />',
      '      </rule>',
      '    </rules>',
      '  </rewrite>',
      '</system.webServer>',
    ].join('\n'),
    note: 'Requires the URL Rewrite module.',
  },
];

/** Adds HTTPS to a site and redirects plain HTTP to it. */
export const serveHttps: readonly Step[] = [
  {
    place: 'nginx.http',
    code: [
      nginxRedirect,
      '',
      'server {',
      '  listen 443 ssl;',
      '  server_name example.com;',
      `  ssl_certificate ${files.certificate};`,
      `  ssl_certificate_key ${files.key};`,
      '  root /var/www/html;',
      '}',
    ].join('\n'),
    replace: { ...ownName, ...ownFolder },
    note: 'Replaces the server block for port 80. `certbot certonly --nginx -d example.com` gets the certificate.',
  },
  {
    place: 'apache.server',
    code: [
      apacheRedirect,
      '',
      '<VirtualHost *:443>',
      '  ServerName example.com',
      '  DocumentRoot /var/www/html',
      '  SSLEngine on',
      `  SSLCertificateFile ${files.certificate}`,
      `  SSLCertificateKeyFile ${files.key}`,
      '</VirtualHost>',
    ].join('\n'),
    replace: { ...ownName, ...ownFolder },
    note: `Replaces the VirtualHost for port 80. \`certbot certonly --apache -d example.com\` gets the certificate. ${needsSsl}`,
  },
  {
    place: 'caddy.file',
    code: ['example.com {', '  root * /var/www/html', '  file_server', '}'].join('\n'),
    replace: { ...ownName, ...ownFolder },
    note: 'Caddy gets the certificate, renews it and redirects plain HTTP.',
  },
  nodeServer(
    [],
    [
      '',
      "const http = require('node:http');",
      '',
      'http',
      '  .createServer((req, res) => {',
      "    res.writeHead(301, { Location: 'https://example.com' + req.url });",
      '    res.end();',
      '  })',
      '  .listen(80);',
    ],
  ),
];
