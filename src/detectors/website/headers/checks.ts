import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { beforeRoutes, mdn, needsHeaders, setHeader, setHeaders } from '../../remediation/headers.ts';
import type { Step } from '../../remediation/step.ts';

const crossOrigin = lowers(
  safeguards.accessControl,
  'Another website can read data that only the signed-in visitor was granted access to.',
);

const ownOrigin = { 'https://app.example.com': 'the origin that needs access' };

/** Allows exactly one other origin to read responses with credentials. */
const allowOneOrigin: readonly Step[] = [
  {
    place: 'nginx.server',
    code: [
      'set $allowed_origin "";',
      'set $allowed_credentials "";',
      'if ($http_origin = "https://app.example.com") {',
      '  set $allowed_origin $http_origin;',
      '  set $allowed_credentials "true";',
      '}',
      'add_header Access-Control-Allow-Origin $allowed_origin always;',
      'add_header Access-Control-Allow-Credentials $allowed_credentials always;',
      'add_header Vary Origin always;',
      'proxy_hide_header Access-Control-Allow-Origin;',
      'proxy_hide_header Access-Control-Allow-Credentials;',
    ].join('\n'),
    replace: ownOrigin,
    note: 'nginx sends no header whose value is empty.',
  },
  {
    place: 'apache.host',
    code: [
      'SetEnvIf Origin "^https://app\\.example\\.com$" ALLOWED_ORIGIN=$0',
      'Header unset Access-Control-Allow-Origin',
      'Header unset Access-Control-Allow-Credentials',
      'Header always unset Access-Control-Allow-Origin',
      'Header always unset Access-Control-Allow-Credentials',
      'Header always set Access-Control-Allow-Origin "%{ALLOWED_ORIGIN}e" env=ALLOWED_ORIGIN',
      'Header always set Access-Control-Allow-Credentials "true" env=ALLOWED_ORIGIN',
      'Header always merge Vary Origin',
    ].join('\n'),
    replace: { 'app\\.example\\.com': 'the host that needs access' },
    note: needsHeaders,
  },
  {
    place: 'caddy.site',
    code: [
      '@allowed header Origin https://app.example.com',
      'header @allowed Access-Control-Allow-Origin https://app.example.com',
      'header @allowed Access-Control-Allow-Credentials true',
      'header +Vary Origin',
    ].join('\n'),
    replace: ownOrigin,
    note: 'Replaces the directives that set these headers now.',
  },
  {
    place: 'express.app',
    code: [
      "const allowedOrigins = new Set(['https://app.example.com']);",
      beforeRoutes(
        "res.vary('Origin');",
        'if (allowedOrigins.has(req.headers.origin)) {',
        "  res.set('Access-Control-Allow-Origin', req.headers.origin);",
        "  res.set('Access-Control-Allow-Credentials', 'true');",
        '}',
      ),
    ].join('\n'),
    replace: ownOrigin,
    note: 'Replaces the code that sets these headers now. With the cors package: `cors({ origin: [...allowedOrigins], credentials: true })`, never `origin: true`.',
  },
];

export const headersChecks = {
  framing: {
    id: 'headers.framing_unrestricted',
    title: 'Any site can embed this page in a frame',
    severity: 'medium',
    why: 'A malicious page can load the site in an invisible frame and trick visitors into clicking its buttons (clickjacking).',
    fix: {
      advice:
        'Send a Content-Security-Policy with `frame-ancestors`. Browsers ignore X-Frame-Options when it is present.',
      steps: setHeader('Content-Security-Policy', "frame-ancestors 'self'", {
        note: 'If the site already sends a policy, add `frame-ancestors` to it instead of sending a second header.',
      }),
    },
    references: ['https://www.w3.org/TR/CSP3/#directive-frame-ancestors', mdn('X-Frame-Options')],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'A malicious page can make signed-in visitors perform actions unknowingly.',
      ),
    ],
  },
  nosniff: {
    id: 'headers.nosniff_missing',
    title: 'Browsers can guess content types',
    severity: 'low',
    why: 'Without X-Content-Type-Options, a browser may run an uploaded text file or image as a script.',
    fix: {
      advice: 'Send `X-Content-Type-Options: nosniff` with every response.',
      steps: setHeader('X-Content-Type-Options', 'nosniff'),
    },
    references: [
      mdn('X-Content-Type-Options'),
      'https://fetch.spec.whatwg.org/#x-content-type-options-header',
    ],
    safeguards: [],
  },
  referrerPolicy: {
    id: 'headers.referrer_policy',
    title: 'Referrer-Policy is missing or too permissive',
    severity: 'low',
    why: 'Full URLs, including what they reveal about a visitor, may be sent to other sites.',
    fix: {
      advice: 'Send a Referrer-Policy that shares at most the origin with other sites.',
      steps: setHeader('Referrer-Policy', 'strict-origin-when-cross-origin'),
    },
    references: ['https://www.w3.org/TR/referrer-policy/', mdn('Referrer-Policy')],
    safeguards: [
      lowers(
        safeguards.usesAndDisclosures,
        'URLs, which can reveal information about a patient, are sent to other websites.',
      ),
    ],
  },
  permissionsPolicy: {
    id: 'headers.permissions_policy_missing',
    title: 'Permissions-Policy is missing, invalid or too permissive',
    severity: 'low',
    why: 'Injected scripts and embedded frames can request the camera, microphone or location in the site’s name.',
    fix: {
      advice: 'Turn off the browser features that the site does not use.',
      steps: setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()'),
    },
    references: ['https://www.w3.org/TR/permissions-policy/', mdn('Permissions-Policy')],
    safeguards: [],
  },
  isolation: {
    id: 'headers.cross_origin_isolation',
    title: 'The page is not isolated from other origins',
    severity: 'low',
    why: 'Other sites can keep a reference to its window or load its resources into their process, where side-channel attacks can read them.',
    fix: {
      advice:
        'Send the three cross-origin isolation headers. Use `Cross-Origin-Resource-Policy: cross-origin` for resources that other sites embed. Test `Cross-Origin-Embedder-Policy` first: it blocks content from other sites that does not allow embedding.',
      steps: setHeaders({
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      }),
    },
    references: ['https://web.dev/articles/coop-coep', mdn('Cross-Origin-Resource-Policy')],
    safeguards: [],
  },
  reflectsOrigin: {
    id: 'cors.reflects_origin',
    title: 'Any website can read this one with the visitor’s session',
    severity: 'high',
    why: 'The server copies any requesting origin into Access-Control-Allow-Origin and allows credentials, so any page that a signed-in visitor opens can read their data here.',
    fix: {
      advice:
        'Allow a fixed list of origins and send Access-Control-Allow-Origin only when the request’s Origin is on it, with `Vary: Origin`. Never allow the origin `null`.',
      steps: allowOneOrigin,
    },
    references: [
      'https://fetch.spec.whatwg.org/#http-cors-protocol',
      'https://portswigger.net/web-security/cors',
    ],
    safeguards: [crossOrigin],
    revisited: true,
  },
  wildcardCredentialed: {
    id: 'cors.wildcard_credentialed',
    title: 'Content behind a login is open to every origin',
    severity: 'medium',
    why: '`Access-Control-Allow-Origin: *` lets any site read a response that belongs to one person’s session.',
    fix: {
      advice:
        'Send the wildcard with public resources only. For responses that depend on a session, name the origins that need them, or send no Access-Control-Allow-Origin at all.',
      steps: allowOneOrigin,
    },
    references: [
      'https://fetch.spec.whatwg.org/#cors-protocol-and-credentials',
      mdn('Access-Control-Allow-Origin'),
    ],
    safeguards: [crossOrigin],
    revisited: true,
  },
  cacheableSession: {
    id: 'headers.cacheable_session',
    title: 'A response that starts a session can be cached',
    severity: 'low',
    why: 'A cache between server and visitor may store the response, session cookie included, and serve it to someone else.',
    fix: {
      advice: 'Send `Cache-Control: no-store` wherever a session starts or personal content is shown.',
      steps: setHeader('Cache-Control', 'no-store'),
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.5', mdn('Cache-Control')],
    safeguards: [lowers(safeguards.accessControl, 'A cache can serve one visitor’s session to another.')],
  },
  contentType: {
    id: 'headers.content_type_missing',
    title: 'No media type or character encoding is declared',
    severity: 'info',
    why: 'Browsers then guess, and a wrong guess can turn harmless text into markup.',
    fix: {
      advice: 'Declare both, as in `Content-Type: text/html; charset=utf-8`.',
      steps: [
        { place: 'nginx.server', code: 'charset utf-8;' },
        { place: 'apache.host', code: 'AddDefaultCharset utf-8' },
      ],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9110#section-8.3', mdn('Content-Type')],
    safeguards: [],
  },
  versionBanner: {
    id: 'headers.version_banner',
    title: 'The server reveals its software or version',
    severity: 'low',
    why: 'Exact versions let attackers pick known vulnerabilities without probing.',
    fix: {
      advice: 'Turn off version banners in the web server, the language runtime and the framework.',
      steps: [
        { place: 'nginx.server', code: 'server_tokens off;' },
        {
          place: 'apache.server',
          code: 'ServerTokens Prod\nServerSignature Off',
        },
        { place: 'express.app', code: "app.disable('x-powered-by');" },
        { place: 'php.ini', code: 'expose_php = Off' },
        {
          place: 'aspnet.web-config',
          code: '<system.web>\n  <httpRuntime enableVersionHeader="false" />\n</system.web>',
        },
      ],
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc9110#section-10.2.4',
      'https://cwe.mitre.org/data/definitions/200.html',
    ],
    safeguards: [],
  },
  debug: {
    id: 'headers.debug',
    title: 'Debugging headers are sent in production',
    severity: 'medium',
    why: 'Framework profilers and debuggers expose queries, settings and sometimes other visitors’ data.',
    fix: {
      advice: 'Run the framework in production mode and remove the profiler.',
      steps: [
        { place: 'symfony.env', code: 'APP_ENV=prod\nAPP_DEBUG=0' },
        { place: 'laravel.env', code: 'APP_DEBUG=false', note: 'Also remove Clockwork and Debugbar.' },
        { place: 'django.settings', code: 'DEBUG = False' },
      ],
    },
    references: [
      'https://cwe.mitre.org/data/definitions/489.html',
      'https://cwe.mitre.org/data/definitions/215.html',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'Debugging output can show anyone the data of other visitors.'),
    ],
  },
} as const satisfies Record<string, Check>;
