import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const mdn = 'https://developer.mozilla.org/docs/Web';

export const pageChecks = {
  noIntegrity: {
    id: 'page.no_integrity',
    title: 'Content of another site is loaded without an integrity hash',
    severity: 'medium',
    why: 'Whoever controls the other site, or breaks into it, can change the script or style sheet and with it this page for every visitor.',
    fix: {
      advice:
        'Serve the file from your own site, or name an exact version and add its hash: `<script src="https://cdn.example/lib@1.2.3/lib.min.js" integrity="sha384-…" crossorigin="anonymous"></script>`. `openssl dgst -sha384 -binary lib.min.js | openssl base64 -A` makes the hash. Where a vendor changes the file at will (payment, captcha, tag managers) no hash holds: load it only on pages that need it, and let the Content-Security-Policy name exactly that host.',
    },
    references: ['https://www.w3.org/TR/SRI/', `${mdn}/Security/Subresource_Integrity`],
    safeguards: [
      lowers(
        safeguards.integrity,
        'Whoever changes the other site’s file can change data in the visitor’s session.',
      ),
    ],
  },
  takenOverHost: {
    id: 'page.taken_over_host',
    title: 'The page loads content from a host known for spreading malware',
    severity: 'high',
    why: 'The host once served a popular library, was sold or taken over, and has since sent some visitors malicious scripts under the old address.',
    fix: {
      advice:
        'Remove the element. Current browsers need no polyfills from polyfill.io; where some are needed, take them into the bundle (`core-js`) or from https://cdnjs.cloudflare.com/polyfill/ with a fixed version. Replace libraries of bootcdn, bootcss and staticfile by copies of your own. Then look through logs and other pages for the same host.',
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
    title: 'A link gives another site a handle to this page',
    severity: 'info',
    why: 'With rel=opener the site in the new window can send this page elsewhere, such as to a copy of the log-in, while nobody looks.',
    fix: {
      advice:
        'Leave `opener` out of the link’s rel: `<a href="…" target="_blank" rel="noopener">`. Where both windows have to talk, use postMessage with a check of the origin.',
    },
    references: [`${mdn}/HTML/Reference/Attributes/rel/noopener`],
    safeguards: [],
  },
  errorDetails: {
    id: 'page.error_details',
    title: 'Error pages show the inside of the application',
    severity: 'medium',
    why: 'Stack traces and debugging pages tell paths, queries, settings and versions, sometimes with data of visitors.',
    fix: {
      advice:
        'Turn debugging off in production. Django: `DEBUG = False` and `ALLOWED_HOSTS`. Laravel: `APP_DEBUG=false`, then `php artisan config:cache`. Symfony: `APP_ENV=prod`. Rails: `RAILS_ENV=production`. Flask: run under gunicorn, never `debug=True`. Express: `NODE_ENV=production`. PHP: `display_errors = Off`. ASP.NET: `<customErrors mode="RemoteOnly"/>`; ASP.NET Core: `ASPNETCORE_ENVIRONMENT=Production`. Spring Boot: `server.error.include-stacktrace=never`. Tomcat: `<Valve className="org.apache.catalina.valves.ErrorReportValve" showReport="false" showServerInfo="false"/>`.',
    },
    references: [
      'https://cwe.mitre.org/data/definitions/209.html',
      'https://docs.djangoproject.com/en/stable/ref/settings/#debug',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'Error details can show anyone data and settings of the application.'),
    ],
  },
  directoryListing: {
    id: 'page.directory_listing',
    title: 'The server lists the files of a directory',
    severity: 'medium',
    revisited: true,
    why: 'A listing shows files that no page links to: uploads, exports, backups and drafts.',
    fix: {
      advice:
        'nginx: `autoindex off;` Apache: `Options -Indexes` Caddy: `file_server` without `browse` IIS: `<directoryBrowse enabled="false"/>` lighttpd: `dir-listing.activate = "disable"` Amazon S3: turn on Block Public Access and take `s3:ListBucket` from everyone. Python’s http.server is for development only.',
    },
    references: [
      'https://cwe.mitre.org/data/definitions/548.html',
      'https://nginx.org/en/docs/http/ngx_http_autoindex_module.html',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'Anyone can find and fetch files that were not meant to be listed.'),
    ],
  },
  privateAddress: {
    id: 'page.private_address',
    title: 'The answer tells addresses of the internal network',
    severity: 'low',
    why: 'Internal addresses and host names help to plan an attack on what stands behind the site, and what points there does not work for visitors.',
    fix: {
      advice:
        'Remove the header at the proxy (nginx: `proxy_hide_header X-Backend;` Apache: `Header unset X-Backend`), let the application build addresses from its public name (`X-Forwarded-Host`, nginx: `proxy_redirect`), and take comments and configuration for development out of the build.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc1918', 'https://cwe.mitre.org/data/definitions/200.html'],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
