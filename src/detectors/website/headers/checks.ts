import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const crossOrigin = lowers(
  safeguards.accessControl,
  'Another website can read data that only the signed-in visitor was granted access to.',
);

const mdn = (name: string) => `https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/${name}`;
const set = (name: string, value: string) =>
  `nginx: \`add_header ${name} "${value}" always;\` Apache: \`Header always set ${name} "${value}"\` Caddy: \`header ${name} "${value}"\` Express: \`res.set('${name}', '${value}')\`, or the helmet package.`;

export const headersChecks = {
  framing: {
    id: 'headers.framing_unrestricted',
    title: 'Any site may show this page in a frame',
    severity: 'medium',
    why: 'A hostile page can put the site into an invisible frame and have visitors click on what they do not see (clickjacking).',
    fix: {
      advice: `Send frame-ancestors in the Content-Security-Policy, or X-Frame-Options where that is not possible. ${set('Content-Security-Policy', "frame-ancestors 'self'")}`,
    },
    references: ['https://www.w3.org/TR/CSP3/#directive-frame-ancestors', mdn('X-Frame-Options')],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'A hostile page can make signed-in visitors use their access without knowing it.',
      ),
    ],
  },
  nosniff: {
    id: 'headers.nosniff_missing',
    title: 'Browsers may guess the type of content',
    severity: 'low',
    why: 'Without X-Content-Type-Options a browser may run an uploaded text or image as a script.',
    fix: { advice: set('X-Content-Type-Options', 'nosniff') },
    references: [
      mdn('X-Content-Type-Options'),
      'https://fetch.spec.whatwg.org/#x-content-type-options-header',
    ],
    safeguards: [],
  },
  referrerPolicy: {
    id: 'headers.referrer_policy',
    title: 'No Referrer-Policy, or one that tells too much',
    severity: 'low',
    why: 'The address of a page, with whatever it says about a visitor, may be passed on to other sites.',
    fix: { advice: set('Referrer-Policy', 'strict-origin-when-cross-origin') },
    references: ['https://www.w3.org/TR/referrer-policy/', mdn('Referrer-Policy')],
    safeguards: [
      lowers(
        safeguards.usesAndDisclosures,
        'Page addresses, which can say something about a patient, are sent to other websites.',
      ),
    ],
  },
  permissionsPolicy: {
    id: 'headers.permissions_policy_missing',
    title: 'No Permissions-Policy',
    severity: 'low',
    why: 'Scripts and frames that get into the page may ask for the camera, the microphone or the location in its name.',
    fix: {
      advice: `Turn off what the site does not use. ${set('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')}`,
    },
    references: ['https://www.w3.org/TR/permissions-policy/', mdn('Permissions-Policy')],
    safeguards: [],
  },
  isolation: {
    id: 'headers.cross_origin_isolation',
    title: 'The page is not isolated from other origins',
    severity: 'low',
    why: 'Other sites can keep a handle to its window or load its resources into their process, from where side channels may read them.',
    fix: {
      advice: `${set('Cross-Origin-Opener-Policy', 'same-origin')} In the same way Cross-Origin-Resource-Policy: same-origin (cross-origin for resources that others should embed) and, once all that the page loads permits it, Cross-Origin-Embedder-Policy: require-corp.`,
    },
    references: ['https://web.dev/articles/coop-coep', mdn('Cross-Origin-Resource-Policy')],
    safeguards: [],
  },
  reflectsOrigin: {
    id: 'cors.reflects_origin',
    title: 'Any website may read this one with the visitor’s log-in',
    severity: 'high',
    why: 'The server repeats whatever origin asks in Access-Control-Allow-Origin and permits credentials, so any page that a logged-in visitor opens can read their data here.',
    fix: {
      advice:
        'Compare the Origin header with a fixed list and send Access-Control-Allow-Origin only on a match, with `Vary: Origin`. Never permit the origin `null`. Express: `cors({ origin: ["https://app.example.com"], credentials: true })`, not `origin: true`. nginx: use a `map $http_origin $allowed { … }`, not `$http_origin` itself.',
    },
    references: [
      'https://fetch.spec.whatwg.org/#http-cors-protocol',
      'https://portswigger.net/web-security/cors',
    ],
    safeguards: [crossOrigin],
  },
  wildcardCredentialed: {
    id: 'cors.wildcard_credentialed',
    title: 'Content behind a log-in is open to every origin',
    severity: 'medium',
    why: 'Access-Control-Allow-Origin: * tells browsers that any site may read an answer that belongs to one person’s session.',
    fix: {
      advice:
        'Send the wildcard on public resources only. For answers that depend on a session, name the origins that need them, or leave the header out.',
    },
    references: [
      'https://fetch.spec.whatwg.org/#cors-protocol-and-credentials',
      mdn('Access-Control-Allow-Origin'),
    ],
    safeguards: [crossOrigin],
  },
  cacheableSession: {
    id: 'headers.cacheable_session',
    title: 'A page that begins a session may be cached',
    severity: 'low',
    why: 'A cache between server and visitor may keep the answer, session cookie included, and give it to the next visitor.',
    fix: {
      advice: `Send no-store where a session is set or personal content is shown. ${set('Cache-Control', 'no-store')}`,
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.5', mdn('Cache-Control')],
    safeguards: [lowers(safeguards.accessControl, 'A cache can hand one visitor’s session to another.')],
  },
  contentType: {
    id: 'headers.content_type_missing',
    title: 'The media type or character encoding is not declared',
    severity: 'info',
    why: 'Browsers then guess, and a wrong guess can turn harmless text into markup.',
    fix: {
      advice:
        'Declare both: `Content-Type: text/html; charset=utf-8`. nginx: `charset utf-8;` Apache: `AddDefaultCharset utf-8` Express: `res.type("html")`.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9110#section-8.3', mdn('Content-Type')],
    safeguards: [],
  },
  versionBanner: {
    id: 'headers.version_banner',
    title: 'The server tells its software or version',
    severity: 'low',
    why: 'Exact versions let attackers pick known vulnerabilities without trying.',
    fix: {
      advice:
        'nginx: `server_tokens off;` Apache: `ServerTokens Prod` and `Header always unset X-Powered-By` Caddy: `header -Server` PHP: `expose_php = Off` Express: `app.disable("x-powered-by")` ASP.NET: `<httpRuntime enableVersionHeader="false"/>`.',
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
    why: 'Profilers and debuggers of frameworks give away queries, settings and sometimes the data of other visitors.',
    fix: {
      advice:
        'Run the framework in its production mode and remove the profiler. Symfony: `APP_ENV=prod` and `APP_DEBUG=0`; Laravel: `APP_DEBUG=false` and no Clockwork or Debugbar; Django: `DEBUG = False`.',
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
