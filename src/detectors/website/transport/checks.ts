import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { setHeader } from '../../remediation/headers.ts';
import { redirectToHttps, serveHttps } from '../../remediation/https.ts';

const readable = lowers(
  safeguards.transmissionEncryption,
  'Anyone on the network path can read what is sent over plain HTTP.',
);
const changeable = lowers(
  safeguards.transmissionIntegrity,
  'Anyone on the network path can change what is sent over plain HTTP.',
);
const downgradable = lowers(
  safeguards.transmissionEncryption,
  'Without effective HSTS, attackers can keep a first request on plain HTTP.',
);

const hsts = setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains', {
  note: 'Start with a short `max-age`, such as 300, until every subdomain has HTTPS.',
});
const rfc6797 = 'https://www.rfc-editor.org/rfc/rfc6797';
const mixedContent = 'https://developer.mozilla.org/docs/Web/Security/Mixed_content';

export const transportChecks = {
  noHttps: {
    id: 'transport.no_https',
    title: 'The site has no HTTPS',
    severity: 'high',
    why: 'Everything that visitors read and send, including passwords and health information, crosses the network unencrypted and can be changed on the way.',
    fix: {
      advice:
        'Get a certificate, serve the site on port 443 and redirect port 80 to it. ACME authorities such as Let’s Encrypt issue certificates for free.',
      steps: serveHttps,
    },
    references: ['https://letsencrypt.org/getting-started/', 'https://www.rfc-editor.org/rfc/rfc7258'],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The scan requests the site over HTTPS and checks that it responds.',
      ),
      changeable,
    ],
  },
  noRedirect: {
    id: 'transport.no_redirect',
    title: 'Plain HTTP does not redirect to HTTPS',
    severity: 'medium',
    why: 'Visitors who type the address or follow an old link stay on the unencrypted site without noticing.',
    fix: {
      advice: 'Answer every plain HTTP request with a permanent redirect to HTTPS.',
      steps: redirectToHttps,
    },
    references: ['https://infosec.mozilla.org/guidelines/web_security#http-redirections'],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The scan requests the site over plain HTTP and checks that visitors end up on HTTPS.',
      ),
      changeable,
    ],
  },
  insecureFirstHop: {
    id: 'transport.insecure_first_hop',
    title: 'The redirect to HTTPS goes through plain HTTP first',
    severity: 'low',
    why: 'Attackers can intercept every additional plain HTTP request, and the first host never sets HSTS.',
    fix: {
      advice:
        'Redirect to HTTPS on the same host first, then to the final host: http://example.com, https://example.com, https://www.example.com.',
      steps: redirectToHttps,
    },
    references: [`${rfc6797}#section-7.2`],
    safeguards: [readable, changeable],
  },
  hstsMissing: {
    id: 'transport.hsts_missing',
    title: 'HSTS is not enabled',
    severity: 'medium',
    why: 'Without Strict-Transport-Security, the first request of each visit can go out unencrypted, and an attacker can keep the visitor off HTTPS.',
    fix: { advice: 'Send Strict-Transport-Security with every HTTPS response.', steps: hsts },
    references: [rfc6797],
    safeguards: [downgradable],
  },
  hstsShort: {
    id: 'transport.hsts_short',
    title: 'HSTS lasts less than six months',
    severity: 'low',
    why: 'Visitors who return after it has expired are no longer protected.',
    fix: { advice: 'Send Strict-Transport-Security with a `max-age` of one year.', steps: hsts },
    references: [`${rfc6797}#section-11.2`],
    safeguards: [downgradable],
  },
  hstsMalformed: {
    id: 'transport.hsts_malformed',
    title: 'The HSTS header is invalid',
    severity: 'low',
    why: 'Browsers ignore a Strict-Transport-Security header with a syntax error, so the site only appears to be protected.',
    fix: { advice: 'Send the header once, with one `max-age` in whole seconds.', steps: hsts },
    references: [`${rfc6797}#section-6.1`],
    safeguards: [downgradable],
  },
  mixedContent: {
    id: 'transport.mixed_content',
    title: 'The HTTPS page loads content over plain HTTP',
    severity: 'medium',
    why: 'Attackers can replace content that is sent unencrypted. Browsers block scripts and frames of this kind, which breaks the page, and may show images unchecked.',
    fix: {
      advice:
        'Load everything over HTTPS, or host it yourself. `upgrade-insecure-requests` makes browsers request the remaining http: addresses over HTTPS.',
      steps: setHeader('Content-Security-Policy', 'upgrade-insecure-requests', {
        note: 'If the site already sends a policy, add the directive to it.',
      }),
    },
    references: [mixedContent, 'https://www.w3.org/TR/upgrade-insecure-requests/'],
    safeguards: [readable, changeable],
  },
  insecureForm: {
    id: 'transport.insecure_form',
    title: 'A form on an HTTPS page submits over plain HTTP',
    severity: 'medium',
    why: 'Data that visitors enter on an apparently secure page is sent unencrypted.',
    fix: {
      advice:
        'Change the form’s `action` to a path or an https:// address, and accept submissions over HTTPS only.',
      steps: [
        {
          place: 'html.page',
          code: [
            '<form method="post" action="/contact">',
            '  <label>Message <textarea name="message"></textarea></label>',
            '  <button>Send</button>',
            '</form>',
          ].join('\n'),
          replace: { '/contact': 'the path that receives the form' },
        },
      ],
    },
    references: [mixedContent],
    safeguards: [readable, changeable],
  },
  passwordOverHttp: {
    id: 'transport.password_over_http',
    title: 'A login page is served over plain HTTP',
    severity: 'high',
    why: 'The password can be read on the way, and the page itself can be changed to send it elsewhere.',
    fix: {
      advice: 'Serve the page over HTTPS only and redirect plain HTTP to it.',
      steps: redirectToHttps,
    },
    references: ['https://cwe.mitre.org/data/definitions/523.html'],
    safeguards: [
      readable,
      lowers(safeguards.passwordManagement, 'A password sent over plain HTTP is not safeguarded.'),
    ],
  },
  basicAuthOverHttp: {
    id: 'transport.basic_auth_over_http',
    title: 'Basic authentication is requested over plain HTTP',
    severity: 'high',
    why: 'Basic authentication sends the password with every request, merely encoded. Over plain HTTP, anyone on the path can read it.',
    fix: {
      advice: 'Redirect to HTTPS before requesting credentials, and configure authentication for HTTPS only.',
      steps: redirectToHttps,
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
