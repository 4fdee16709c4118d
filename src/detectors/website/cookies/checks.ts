import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const takeover = lowers(
  safeguards.authentication,
  'Whoever gets the session cookie is taken for the person who signed in.',
);

const rfc6265 = 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis';
const setting =
  'Express: `cookie: { secure: true, httpOnly: true, sameSite: "lax" }` in express-session. PHP: `session.cookie_secure`, `session.cookie_httponly` and `session.cookie_samesite` in php.ini. Django: `SESSION_COOKIE_SECURE`, `SESSION_COOKIE_HTTPONLY`, `SESSION_COOKIE_SAMESITE`. nginx, for an application that cannot: `proxy_cookie_flags ~ secure httponly samesite=lax;`';

export const cookiesChecks = {
  notSecure: {
    id: 'cookies.session_not_secure',
    title: 'A session cookie may travel over plain HTTP',
    severity: 'high',
    why: 'Without Secure the browser also sends the cookie over plain HTTP, where whoever reads it can take over the session.',
    fix: { advice: `Set Secure on the cookie. ${setting}` },
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
    why: 'Without HttpOnly one injected script is enough to carry the session off.',
    fix: { advice: `Set HttpOnly on the cookie. ${setting}` },
    references: [`${rfc6265}#section-4.1.2.6`, 'https://cwe.mitre.org/data/definitions/1004.html'],
    safeguards: [takeover],
  },
  sameSite: {
    id: 'cookies.session_samesite',
    title: 'A session cookie is sent along from other sites',
    severity: 'low',
    why: 'Without SameSite, requests that another site triggers may carry the visitor’s session (cross-site request forgery); only some browsers assume Lax.',
    fix: {
      advice: `Set SameSite=Lax, or Strict. SameSite=None is for embedding in other sites and needs Secure. ${setting}`,
    },
    references: [`${rfc6265}#section-4.1.2.7`, 'https://cwe.mitre.org/data/definitions/1275.html'],
    safeguards: [
      lowers(
        safeguards.authentication,
        'Requests that another website triggers are taken for requests of the person who signed in.',
      ),
    ],
  },
  broadDomain: {
    id: 'cookies.broad_domain',
    title: 'A session cookie is shared with all subdomains',
    severity: 'info',
    why: 'Every host below the domain receives the cookie, so the weakest of them decides how safe the session is.',
    fix: {
      advice:
        'Leave the Domain attribute out, so that the cookie belongs to this host alone; better still, name it with the prefix `__Host-`.',
    },
    references: [`${rfc6265}#section-4.1.2.3`],
    safeguards: [],
  },
  brokenPrefix: {
    id: 'cookies.prefix_broken',
    title: 'A cookie breaks the promise of its name',
    severity: 'low',
    why: 'Browsers drop a `__Host-` or `__Secure-` cookie without the attributes that the prefix demands, so what depends on it does not work.',
    fix: {
      advice:
        '`__Secure-` needs Secure and HTTPS; `__Host-` needs these, Path=/ and no Domain. Set the attributes or change the name.',
    },
    references: [`${rfc6265}#section-4.1.3`],
    safeguards: [],
  },
  sessionInUrl: {
    id: 'cookies.session_in_url',
    title: 'A session id is part of an address',
    severity: 'medium',
    why: 'Addresses end up in histories, logs, referrers and chats, and with them the session.',
    fix: {
      advice:
        'Keep sessions in cookies only. PHP: `session.use_only_cookies = 1` and `session.use_trans_sid = 0`. Java: `<tracking-mode>COOKIE</tracking-mode>` in web.xml, or `server.servlet.session.tracking-modes=cookie` in Spring Boot.',
    },
    references: ['https://cwe.mitre.org/data/definitions/598.html'],
    safeguards: [
      lowers(safeguards.authentication, 'Whoever gets the address is taken for the person who signed in.'),
    ],
  },
} as const satisfies Record<string, Check>;
