import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const readable = lowers(
  safeguards.transmissionEncryption,
  'What travels over plain HTTP can be read by anyone on the network path.',
);
const changeable = lowers(
  safeguards.transmissionIntegrity,
  'What travels over plain HTTP can be changed by anyone on the network path.',
);
const downgradable = lowers(
  safeguards.transmissionEncryption,
  'Without HSTS that browsers apply, a first request can be kept on plain HTTP.',
);

const hstsSettings =
  'nginx: `add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;` Apache: `Header always set Strict-Transport-Security "max-age=31536000; includeSubDomains"` Caddy: `header Strict-Transport-Security "max-age=31536000; includeSubDomains"` Express: `app.use(helmet.hsts({ maxAge: 31536000 }))`. Begin with a short max-age if you are not sure that every subdomain has HTTPS.';
const rfc6797 = 'https://www.rfc-editor.org/rfc/rfc6797';
const mixedContent = 'https://developer.mozilla.org/docs/Web/Security/Mixed_content';

export const transportChecks = {
  noHttps: {
    id: 'transport.no_https',
    title: 'The site has no HTTPS',
    severity: 'high',
    why: 'Everything that visitors read and send, passwords and health information included, crosses the network in the clear and can be changed on the way.',
    fix: {
      advice:
        'Get a certificate (ACME is free: `certbot --nginx` or `certbot --apache`; Caddy gets one by itself for `example.com { reverse_proxy localhost:3000 }`), serve the site on port 443, and redirect port 80 to it. For Node.js, end TLS in a reverse proxy or use `https.createServer`.',
    },
    references: ['https://letsencrypt.org/getting-started/', 'https://www.rfc-editor.org/rfc/rfc7258'],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The scan requests the site over HTTPS and sees whether it answers there.',
      ),
      changeable,
    ],
  },
  noRedirect: {
    id: 'transport.no_redirect',
    title: 'Plain HTTP does not lead to HTTPS',
    severity: 'medium',
    why: 'Visitors who type the name or follow an old link stay on the unencrypted site without noticing.',
    fix: {
      advice:
        'Answer every request on port 80 with a permanent redirect. nginx: `server { listen 80; return 301 https://$host$request_uri; }` Apache: `Redirect permanent / https://example.com/` Caddy redirects by itself unless `auto_https` is off. Express: `app.use((req, res, next) => req.secure ? next() : res.redirect(301, "https://example.com" + req.originalUrl))`, with `trust proxy` set behind a proxy.',
    },
    references: ['https://infosec.mozilla.org/guidelines/web_security#http-redirections'],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The scan requests the site over plain HTTP and sees whether visitors end up on HTTPS.',
      ),
      changeable,
    ],
  },
  insecureFirstHop: {
    id: 'transport.insecure_first_hop',
    title: 'The redirect to HTTPS takes a detour over plain HTTP',
    severity: 'low',
    why: 'Each further hop in the clear is one more place to intercept, and the first host never gets to set HSTS.',
    fix: {
      advice:
        'Redirect to HTTPS on the same host first, and from there to the final host: http://example.com, https://example.com, https://www.example.com.',
    },
    references: [`${rfc6797}#section-7.2`],
    safeguards: [readable, changeable],
  },
  hstsMissing: {
    id: 'transport.hsts_missing',
    title: 'HSTS is not set',
    severity: 'medium',
    why: 'Without Strict-Transport-Security the first request of each visit may go out in the clear, where an attacker can keep the visitor off HTTPS.',
    fix: { advice: hstsSettings },
    references: [rfc6797],
    safeguards: [downgradable],
  },
  hstsShort: {
    id: 'transport.hsts_short',
    title: 'HSTS lasts less than six months',
    severity: 'low',
    why: 'Visitors who come back after the time has run out are unprotected again.',
    fix: { advice: hstsSettings },
    references: [`${rfc6797}#section-11.2`],
    safeguards: [downgradable],
  },
  hstsMalformed: {
    id: 'transport.hsts_malformed',
    title: 'The HSTS header is malformed',
    severity: 'low',
    why: 'Browsers ignore a Strict-Transport-Security header that does not follow the grammar, so there is no protection although it looks set.',
    fix: { advice: `Send the header once, with one max-age in whole seconds. ${hstsSettings}` },
    references: [`${rfc6797}#section-6.1`],
    safeguards: [downgradable],
  },
  mixedContent: {
    id: 'transport.mixed_content',
    title: 'The HTTPS page loads content over plain HTTP',
    severity: 'medium',
    why: 'Content that arrives in the clear can be replaced; browsers block scripts and frames of this kind, which breaks the page, and may show images as they come.',
    fix: {
      advice:
        'Load it over HTTPS, or host it yourself. As a net for what is overlooked, add `upgrade-insecure-requests` to the Content-Security-Policy.',
    },
    references: [mixedContent, 'https://www.w3.org/TR/upgrade-insecure-requests/'],
    safeguards: [readable, changeable],
  },
  insecureForm: {
    id: 'transport.insecure_form',
    title: 'A form on an HTTPS page sends to plain HTTP',
    severity: 'medium',
    why: 'What visitors enter on a page with a padlock leaves in the clear.',
    fix: {
      advice:
        'Change the form’s `action` to https:// or to a path, and let the receiver answer on HTTPS only.',
    },
    references: [mixedContent],
    safeguards: [readable, changeable],
  },
  passwordOverHttp: {
    id: 'transport.password_over_http',
    title: 'A page asks for a password over plain HTTP',
    severity: 'high',
    why: 'The password can be read on the way, and the page itself can be changed to send it elsewhere.',
    fix: {
      advice:
        'Serve the page over HTTPS only and redirect plain HTTP to it. nginx: `return 301 https://$host$request_uri;` in the server block for port 80.',
    },
    references: ['https://cwe.mitre.org/data/definitions/523.html'],
    safeguards: [
      readable,
      lowers(safeguards.passwordManagement, 'A password sent over plain HTTP is not safeguarded.'),
    ],
  },
  basicAuthOverHttp: {
    id: 'transport.basic_auth_over_http',
    title: 'Basic authentication is asked for over plain HTTP',
    severity: 'high',
    why: 'Basic authentication repeats the password, merely encoded, in every request; over plain HTTP anyone on the path can read it.',
    fix: {
      advice:
        'Redirect to HTTPS before asking for credentials: put `auth_basic` (nginx) or `AuthType Basic` (Apache) only into the server for port 443.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc7617#section-4'],
    safeguards: [
      readable,
      lowers(
        safeguards.passwordManagement,
        'Basic authentication sends the password with every request, here over plain HTTP.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
