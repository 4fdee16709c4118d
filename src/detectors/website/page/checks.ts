import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { needsHeaders } from '../../remediation/headers.ts';

const mdn = 'https://developer.mozilla.org/docs/Web';

const ownHeader = { 'X-Backend': 'the header' };

export const pageChecks = {
  noIntegrity: {
    id: 'page.no_integrity',
    title: 'Third-party content is loaded without an integrity hash',
    severity: 'medium',
    why: 'Anyone who controls or breaks into the other site can change the script or style sheet, and with it this page for every visitor.',
    fix: {
      advice:
        'Host the file yourself, or load an exact version with its hash. Some vendors change their file at any time, such as for payments, captchas or tag managers, so no hash works: load these only on pages that need them, and allow exactly their host in the Content-Security-Policy.',
      steps: [
        {
          place: 'html.page',
          code: [
            '<script',
            '  src="https://code.jquery.com/jquery-3.7.1.min.js"',
            '  integrity="sha256-/JqT3SQfawRcv/BIHPThkBvs0OEvtFFmqPF/lYI/Cxo="',
            '  crossorigin="anonymous"></script>',
          ].join('\n'),
          replace: {
            'https://code.jquery.com/jquery-3.7.1.min.js': 'the file’s URL',
            'sha256-/JqT3SQfawRcv/BIHPThkBvs0OEvtFFmqPF/lYI/Cxo=': 'its hash',
          },
        },
        {
          place: 'shell',
          code: [
            'curl -fsS https://code.jquery.com/jquery-3.7.1.min.js |',
            '  openssl dgst -sha256 -binary | openssl base64 -A',
          ].join('\n'),
          replace: { 'https://code.jquery.com/jquery-3.7.1.min.js': 'the file’s URL' },
          note: 'Prints the hash, without its prefix `sha256-`.',
        },
      ],
    },
    references: ['https://www.w3.org/TR/SRI/', `${mdn}/Security/Subresource_Integrity`],
    safeguards: [
      lowers(
        safeguards.integrity,
        'Anyone who changes the other site’s file can change data in the visitor’s session.',
      ),
    ],
  },
  takenOverHost: {
    id: 'page.taken_over_host',
    title: 'The page loads content from a host known to serve malware',
    severity: 'high',
    why: 'The host once served a popular library, was sold or taken over, and has since sent malicious scripts to some visitors.',
    fix: {
      advice:
        'Remove the element from every page. Modern browsers do not need polyfills from polyfill.io. For older ones, bundle `core-js`. Host libraries from bootcdn, bootcss and staticfile yourself. Then check your logs and other sites for the same host.',
      steps: [
        {
          place: 'shell',
          code: "grep -rnE 'polyfill\\.(io|com)|bootcdn|bootcss|staticfile' /var/www/html",
          replace: { '/var/www/html': 'the folder of the site’s source code' },
          note: 'Lists every line that names such a host.',
        },
      ],
    },
    references: [
      'https://blog.cloudflare.com/automatically-replacing-polyfill-io-links-with-cloudflares-mirror-for-a-safer-internet/',
      'https://www.w3.org/TR/SRI/',
    ],
    safeguards: [
      lowers(
        safeguards.malwareProtection,
        'The page loads code from a host that is known to serve malicious code.',
      ),
      lowers(safeguards.integrity, 'Malicious code on the page can change data in the visitor’s session.'),
    ],
  },
  opener: {
    id: 'page.opener',
    title: 'A link gives another site access to this window',
    severity: 'info',
    why: 'With rel=opener, the site in the new window can navigate this page elsewhere, such as to a fake login, without the visitor noticing.',
    fix: {
      advice:
        'Use `rel="noopener"`. If both windows have to communicate, use postMessage and check the origin.',
      steps: [
        {
          place: 'html.page',
          code: '<a href="https://partner.example/" target="_blank" rel="noopener">Partner</a>',
          replace: { 'https://partner.example/': 'the link’s target', Partner: 'its text' },
        },
      ],
    },
    references: [`${mdn}/HTML/Reference/Attributes/rel/noopener`],
    safeguards: [],
  },
  errorDetails: {
    id: 'page.error_details',
    title: 'Error pages expose details of the application',
    severity: 'medium',
    why: 'Stack traces and debug pages reveal paths, queries, settings and versions, and sometimes visitors’ data.',
    fix: {
      advice: 'Turn off debugging in production, and show a page without details when an error occurs.',
      steps: [
        {
          place: 'django.settings',
          code: "DEBUG = False\nALLOWED_HOSTS = ['example.com']",
          replace: { 'example.com': 'the site’s hostname' },
        },
        {
          place: 'laravel.env',
          code: 'APP_ENV=production\nAPP_DEBUG=false',
          note: 'Then run `php artisan config:cache`.',
        },
        { place: 'php.ini', code: 'display_errors = Off\nlog_errors = On' },
        {
          place: 'express.app',
          code: "app.set('env', 'production');",
          note: 'Or start the program with `NODE_ENV=production`.',
        },
        {
          place: 'spring.properties',
          code: 'server.error.include-stacktrace=never\nserver.error.include-message=never',
        },
        {
          place: 'aspnet.web-config',
          code: '<system.web>\n  <customErrors mode="On" />\n  <compilation debug="false" />\n</system.web>',
        },
      ],
    },
    references: [
      'https://cwe.mitre.org/data/definitions/209.html',
      'https://docs.djangoproject.com/en/stable/ref/settings/#debug',
    ],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Error details can show anyone the data and settings of the application.',
      ),
    ],
  },
  directoryListing: {
    id: 'page.directory_listing',
    title: 'Directory listing is enabled',
    severity: 'medium',
    revisited: true,
    why: 'A listing shows files that no page links to, such as uploads, exports, backups and drafts.',
    fix: {
      advice: 'Disable directory listings. Python’s http.server is for development only.',
      steps: [
        { place: 'nginx.server', code: 'autoindex off;', note: 'Remove any `autoindex on`.' },
        {
          place: 'apache.host',
          code: '<Directory "/var/www/html">\n  Options -Indexes\n</Directory>',
          replace: { '/var/www/html': 'the site’s document root' },
        },
        { place: 'caddy.site', code: 'file_server', note: 'Replaces `file_server browse`.' },
        { place: 'lighttpd.file', code: 'dir-listing.activate = "disable"' },
        {
          place: 'iis.web-config',
          code: '<system.webServer>\n  <directoryBrowse enabled="false" />\n</system.webServer>',
        },
        {
          place: 'aws.shell',
          code: [
            'aws s3api put-public-access-block \\',
            '  --bucket example-bucket \\',
            '  --public-access-block-configuration \\',
            '  BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true',
          ].join('\n'),
          replace: { 'example-bucket': 'the bucket' },
          note: 'If visitors need the files, keep the bucket public and remove only `s3:ListBucket` from its policy.',
        },
      ],
    },
    references: [
      'https://cwe.mitre.org/data/definitions/548.html',
      'https://nginx.org/en/docs/http/ngx_http_autoindex_module.html',
    ],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Anyone can find and download files that were not meant to be listed.',
      ),
    ],
  },
  privateAddress: {
    id: 'page.private_address',
    title: 'The response reveals internal addresses',
    severity: 'low',
    why: 'Internal IP addresses and hostnames help attackers plan attacks on the network behind the site. Links to them do not work for visitors.',
    fix: {
      advice:
        'Remove the header at the proxy. Have the application build URLs from its public name (`X-Forwarded-Host`), and remove comments and development settings from the build.',
      steps: [
        { place: 'nginx.server', code: 'proxy_hide_header X-Backend;', replace: ownHeader },
        {
          place: 'apache.host',
          code: 'Header unset X-Backend\nHeader always unset X-Backend',
          replace: ownHeader,
          note: needsHeaders,
        },
        { place: 'caddy.site', code: 'header -X-Backend', replace: ownHeader },
      ],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc1918', 'https://cwe.mitre.org/data/definitions/200.html'],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
