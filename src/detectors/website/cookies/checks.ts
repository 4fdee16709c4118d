import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import type { Step } from '../../remediation/step.ts';

const takeover = lowers(
  safeguards.authentication,
  'Anyone who obtains the session cookie can act as the person who signed in.',
);

const rfc6265 = 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis';

/** @param options further ones of the session, and of its cookie */
function expressSession({ session = [], cookie = [] }: { session?: string[]; cookie?: string[] } = {}): Step {
  return {
    place: 'express.app',
    code: [
      "const session = require('express-session');",
      '',
      "app.set('trust proxy', 1);",
      'app.use(',
      '  session({',
      ...session.map(option => `    ${option},`),
      '    secret: process.env.SESSION_SECRET,',
      '    resave: false,',
      '    saveUninitialized: false,',
      `    cookie: { ${['secure: true', 'httpOnly: true', "sameSite: 'lax'", ...cookie].join(', ')} },`,
      '  }),',
      ');',
    ].join('\n'),
    note: 'Replaces the existing session middleware. Omit `trust proxy` if no proxy terminates TLS.',
  };
}

/** Sets all three flags. */
const flags: readonly Step[] = [
  expressSession(),
  {
    place: 'php.ini',
    code: 'session.cookie_secure = 1\nsession.cookie_httponly = 1\nsession.cookie_samesite = Lax',
  },
  {
    place: 'django.settings',
    code: "SESSION_COOKIE_SECURE = True\nSESSION_COOKIE_HTTPONLY = True\nSESSION_COOKIE_SAMESITE = 'Lax'",
  },
  {
    place: 'rails.production',
    code: "config.session_store :cookie_store, key: '_app_session', secure: true, httponly: true, same_site: :lax",
    replace: { _app_session: 'the cookie’s name' },
  },
  {
    place: 'spring.properties',
    code: [
      'server.servlet.session.cookie.secure=true',
      'server.servlet.session.cookie.http-only=true',
      'server.servlet.session.cookie.same-site=lax',
    ].join('\n'),
  },
  {
    place: 'nginx.server',
    version: '1.19.3 or newer',
    code: 'proxy_cookie_flags ~ secure httponly samesite=lax;',
    note: 'For applications that cannot set the flags: nginx adds them to every cookie that passes through it.',
  },
];

/** A cookie that belongs to one host, which its name makes browsers enforce. */
const hostOnly: readonly Step[] = [
  expressSession({ session: ["name: '__Host-session'"], cookie: ["path: '/'"] }),
  {
    place: 'php.ini',
    code: [
      'session.name = __Host-session',
      'session.cookie_path = /',
      'session.cookie_domain =',
      'session.cookie_secure = 1',
      'session.cookie_httponly = 1',
      'session.cookie_samesite = Lax',
    ].join('\n'),
  },
  {
    place: 'django.settings',
    code: [
      "SESSION_COOKIE_NAME = '__Host-sessionid'",
      "SESSION_COOKIE_PATH = '/'",
      'SESSION_COOKIE_DOMAIN = None',
      'SESSION_COOKIE_SECURE = True',
      'SESSION_COOKIE_HTTPONLY = True',
      "SESSION_COOKIE_SAMESITE = 'Lax'",
    ].join('\n'),
  },
];

export const cookiesChecks = {
  notSecure: {
    id: 'cookies.session_not_secure',
    title: 'A session cookie can be sent over plain HTTP',
    severity: 'high',
    why: 'Without Secure, the browser also sends the cookie over plain HTTP, where anyone on the path can read it and take over the session.',
    fix: { advice: 'Set `Secure` on the session cookie.', steps: flags },
    references: [`${rfc6265}#section-4.1.2.5`, 'https://cwe.mitre.org/data/definitions/614.html'],
    safeguards: [
      takeover,
      lowers(safeguards.transmissionEncryption, 'The browser may send the session cookie over plain HTTP.'),
    ],
  },
  notHttpOnly: {
    id: 'cookies.session_not_httponly',
    title: 'Scripts can read a session cookie',
    severity: 'medium',
    why: 'Without HttpOnly, a single injected script can steal the session.',
    fix: { advice: 'Set `HttpOnly` on the session cookie.', steps: flags },
    references: [`${rfc6265}#section-4.1.2.6`, 'https://cwe.mitre.org/data/definitions/1004.html'],
    safeguards: [takeover],
  },
  sameSite: {
    id: 'cookies.session_samesite',
    title: 'A session cookie is sent with requests from other sites',
    severity: 'low',
    why: 'Without SameSite, requests that another site triggers can carry the visitor’s session (cross-site request forgery). Only some browsers default to Lax.',
    fix: {
      advice:
        'Set `SameSite=Lax` or `SameSite=Strict` on the session cookie. `SameSite=None` is for sites that others embed, and requires Secure.',
      steps: flags,
    },
    references: [`${rfc6265}#section-4.1.2.7`, 'https://cwe.mitre.org/data/definitions/1275.html'],
    safeguards: [
      lowers(
        safeguards.authentication,
        'Requests that another website triggers are accepted as the signed-in person’s own.',
      ),
    ],
  },
  broadDomain: {
    id: 'cookies.broad_domain',
    title: 'A session cookie is shared with all subdomains',
    severity: 'info',
    why: 'Every host under the domain receives the cookie, so the session is only as safe as the weakest of them.',
    fix: {
      advice:
        'Remove the `Domain` attribute to limit the cookie to this host. The name prefix `__Host-` makes browsers enforce it.',
      steps: hostOnly,
    },
    references: [`${rfc6265}#section-4.1.2.3`],
    safeguards: [],
  },
  brokenPrefix: {
    id: 'cookies.prefix_broken',
    title: 'A cookie does not meet the requirements of its name prefix',
    severity: 'low',
    why: 'Browsers reject `__Host-` and `__Secure-` cookies without the attributes that the prefix requires, so features that depend on the cookie fail.',
    fix: {
      advice:
        '`__Secure-` requires Secure and HTTPS. `__Host-` also requires `Path=/` and no Domain, `__Http-` HttpOnly. Set the attributes or rename the cookie.',
      steps: hostOnly,
    },
    references: [`${rfc6265}#section-4.1.3`],
    safeguards: [],
  },
  openContent: {
    id: 'cookies.open_content',
    title: 'A cookie contains rights, an identity or an object that the visitor can change',
    severity: 'medium',
    why: 'Visitors can edit their cookies. If the server trusts the content, they can give themselves rights, pose as someone else or run code when an object is deserialized.',
    fix: {
      advice:
        'Keep rights, identities and objects in a session on the server, and send only its random ID in the cookie.',
      steps: [expressSession()],
    },
    references: [
      'https://cwe.mitre.org/data/definitions/565.html',
      'https://cwe.mitre.org/data/definitions/502.html',
    ],
    safeguards: [
      lowers(safeguards.authentication, 'A visitor can change what the cookie says about who they are.'),
      lowers(safeguards.accessControl, 'A visitor can change what the cookie says about their rights.'),
    ],
  },
  sessionInUrl: {
    id: 'cookies.session_in_url',
    title: 'A URL contains a session ID',
    severity: 'medium',
    why: 'URLs end up in histories, logs, referrers and chats, and expose the session with them.',
    fix: {
      advice: 'Keep session IDs in cookies only.',
      steps: [
        { place: 'php.ini', code: 'session.use_only_cookies = 1\nsession.use_trans_sid = 0' },
        { place: 'spring.properties', code: 'server.servlet.session.tracking-modes=cookie' },
        {
          place: 'tomcat.web-xml',
          code: '<session-config>\n  <tracking-mode>COOKIE</tracking-mode>\n</session-config>',
        },
      ],
    },
    references: ['https://cwe.mitre.org/data/definitions/598.html'],
    safeguards: [
      lowers(safeguards.authentication, 'Anyone who obtains the URL can act as the person who signed in.'),
    ],
  },
} as const satisfies Record<string, Check>;
