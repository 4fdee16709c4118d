import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { setHeader } from '../../remediation/headers.ts';
import { redirectToHttps } from '../../remediation/https.ts';

const thirdParty = lowers(
  safeguards.usesAndDisclosures,
  'The vendor learns who uses which page, which can be an unauthorized disclosure on the site of a covered entity.',
);
const identifiers = lowers(
  safeguards.deidentification,
  'IP addresses and URLs are among the identifiers that 164.514(b)(2) lists, so what the vendor receives is not de-identified.',
);

const hhsTracking =
  'https://www.hhs.gov/hipaa/for-professionals/privacy/guidance/hipaa-online-tracking/index.html';
const cfr = (section: string) => `https://www.ecfr.gov/current/title-45/section-${section}`;

const removeTracker =
  'Remove the vendor’s snippet from the page template and its tag from the tag manager, at least from pages behind a login and from pages on conditions, appointments and forms. Then block it: omit the vendor’s hosts from `script-src`, `img-src`, `connect-src` and `frame-src` of the Content-Security-Policy.';

export const hipaaChecks = {
  tracker: {
    id: 'hipaa.tracker',
    title: 'The page contains an advertising or analytics tracker',
    severity: 'high',
    why: 'The tracker reports visitors and the pages they open to its vendor. On a covered entity’s site, this can be an unauthorized disclosure of protected health information.',
    fix: {
      advice: `${removeTracker} To count visits, use analytics that you host yourself, such as Matomo, or a vendor that has signed a business associate agreement for this use. A consent banner is not an authorization under 45 CFR 164.508.`,
    },
    references: [hhsTracking, cfr('164.502'), cfr('164.514')],
    safeguards: [thirdParty, identifiers],
  },
  sessionReplay: {
    id: 'hipaa.session_replay',
    title: 'A session replay script records visitors',
    severity: 'high',
    why: 'Session replay sends a vendor what visitors see, click and type, which on a health site includes symptoms, results and names.',
    fix: {
      advice: `${removeTracker} If you need recordings, record test accounts only, or use a vendor that has signed a business associate agreement, with all text and input masked (Microsoft Clarity: masking mode Strict; FullStory: Private by Default; Hotjar: suppress all text).`,
    },
    references: [hhsTracking, cfr('164.502'), cfr('164.514')],
    safeguards: [thirdParty, identifiers],
  },
  trackerInScript: {
    id: 'hipaa.tracker_in_script',
    title: 'A script of the site can load a tracker',
    severity: 'medium',
    why: 'Bundles load trackers after the page, so the trackers are not in the markup and easily overlooked.',
    fix: {
      advice:
        'Find where the bundle’s source loads the vendor’s script, and on which pages. Remove the package or snippet (such as `react-ga4`, `@next/third-parties`, `react-facebook-pixel` or `@hotjar/browser`) unless a business associate agreement covers it. A Content-Security-Policy whose `script-src` and `connect-src` omit the vendor’s hosts blocks what you overlook.',
    },
    references: [hhsTracking, cfr('164.502')],
    safeguards: [thirdParty, identifiers],
  },
  healthTermsInUrl: {
    id: 'hipaa.health_terms_in_url',
    title: 'URLs contain health or identity data',
    severity: 'medium',
    why: 'Query strings are stored in browser histories, server and proxy logs and referrers, where access to information about a patient is not controlled.',
    fix: {
      advice:
        'Send such values in the body of a POST request, and keep them in the session between pages. Link to records by a random reference that only works for the signed-in person. Do not log query strings: in nginx, use `$uri` instead of `$request` in `log_format`.',
      steps: [
        {
          place: 'html.page',
          code: [
            '<form method="post" action="/appointments">',
            '  <label>Diagnosis <input name="diagnosis"></label>',
            '  <button>Continue</button>',
            '</form>',
          ].join('\n'),
          replace: { '/appointments': 'the path that receives the form' },
        },
      ],
    },
    references: [
      'https://cwe.mitre.org/data/definitions/598.html',
      'https://www.rfc-editor.org/rfc/rfc9110#section-17.9',
      cfr('164.312'),
    ],
    safeguards: [
      lowers(
        safeguards.usesAndDisclosures,
        'URLs are stored in histories, logs and referrers, where people without authorization can read them.',
      ),
    ],
  },
  identityFormInsecure: {
    id: 'hipaa.identity_form_insecure',
    title: 'A form collects identity data over plain HTTP',
    severity: 'high',
    why: 'Anyone on the network path can read and change names, dates of birth and insurance numbers that are sent over plain HTTP.',
    fix: {
      advice:
        'Serve the page and the form’s target over HTTPS only, and redirect plain HTTP. Use a path or an https:// address in the form’s `action`, and send Strict-Transport-Security.',
      steps: redirectToHttps,
    },
    references: [
      cfr('164.312'),
      'https://csrc.nist.gov/pubs/sp/800/52/r2/final',
      'https://www.w3.org/TR/mixed-content/',
    ],
    safeguards: [
      lowers(safeguards.transmissionEncryption, 'Identity data is sent over plain HTTP.'),
      lowers(
        safeguards.transmissionIntegrity,
        'Data sent over plain HTTP can be changed in transit unnoticed.',
      ),
    ],
  },
  noPrivacyNotice: {
    id: 'hipaa.no_privacy_notice',
    title: 'The page does not link to a privacy notice',
    severity: 'low',
    why: 'A covered entity with a website about its services or benefits must prominently post its notice of privacy practices there (45 CFR 164.520(c)(3)(i)).',
    fix: {
      advice:
        'Link to the notice of privacy practices from every page, usually in the footer. Business associates link to their privacy policy.',
      steps: [
        {
          place: 'html.page',
          code: '<a href="/notice-of-privacy-practices">Notice of privacy practices</a>',
          replace: { '/notice-of-privacy-practices': 'the notice’s path' },
        },
      ],
    },
    references: [
      cfr('164.520'),
      'https://www.hhs.gov/hipaa/for-professionals/privacy/guidance/privacy-practices-for-protected-health-information/index.html',
    ],
    safeguards: [
      lowers(
        safeguards.privacyNotice,
        'A covered entity with a website about its services or benefits must post its notice of privacy practices there.',
      ),
    ],
  },
  authenticatedPageCacheable: {
    id: 'hipaa.authenticated_page_cacheable',
    title: 'A page behind the login can be cached',
    severity: 'medium',
    why: 'A shared cache can serve the page to someone else, and the browser of a shared workstation can show it again after the person signs out.',
    fix: {
      advice: 'Send `Cache-Control: no-store` with every page that requires a login.',
      steps: [
        ...setHeader('Cache-Control', 'no-store', { note: 'Limit it to paths that require a login.' }),
        {
          place: 'django.code',
          code: [
            'from django.views.decorators.cache import cache_control',
            '',
            '',
            '@cache_control(private=True, no_store=True)',
            'def record(request):',
            '    return render(request, "record.html")',
          ].join('\n'),
          note: 'Decorate your own views.',
        },
        {
          place: 'rails.code',
          code: [
            'class ApplicationController < ActionController::Base',
            '  before_action { no_store }',
            'end',
          ].join('\n'),
          version: '7.0 or newer',
        },
      ],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.5', cfr('164.312')],
    safeguards: [
      lowers(safeguards.accessControl, 'A cache can show a signed-in person’s page to someone else.'),
    ],
  },
} as const satisfies Record<string, Check>;
