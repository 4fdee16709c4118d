import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const thirdParty = lowers(
  safeguards.usesAndDisclosures,
  'The vendor learns who uses which page, which on the site of a covered entity can be a disclosure without authorization.',
);
const identifiers = lowers(
  safeguards.deidentification,
  'IP addresses and URLs are among the identifiers that 164.514(b)(2) lists, so what the vendor receives is not de-identified.',
);

const hhsTracking =
  'https://www.hhs.gov/hipaa/for-professionals/privacy/guidance/hipaa-online-tracking/index.html';
const cfr = (section: string) => `https://www.ecfr.gov/current/title-45/section-${section}`;

const removeTracker =
  'Remove the vendor’s snippet from the page’s template, and its tag from the tag manager, at least from every page behind a log-in and from pages on conditions, appointments and forms. Then forbid it: leave the vendor’s hosts out of `script-src`, `img-src`, `connect-src` and `frame-src` of the Content-Security-Policy.';

export const hipaaChecks = {
  tracker: {
    id: 'hipaa.tracker',
    title: 'An advertising or analytics tracker is on the page',
    severity: 'high',
    why: 'The tracker tells its vendor who opens which page, and on a site of a covered entity that can be protected health information, disclosed without an authorization.',
    fix: {
      advice: `${removeTracker} If visits have to be counted, use a counter that you run yourself, such as Matomo, or a vendor that has signed a business associate agreement for this use. A consent banner is no authorization under 45 CFR 164.508.`,
    },
    references: [hhsTracking, cfr('164.502'), cfr('164.514')],
    safeguards: [thirdParty, identifiers],
  },
  sessionReplay: {
    id: 'hipaa.session_replay',
    title: 'A session-replay script records what visitors do',
    severity: 'high',
    why: 'Such scripts send a vendor what visitors see, click and type, which on a health site includes symptoms, results and names.',
    fix: {
      advice: `${removeTracker} Where recordings are needed, use them on test accounts only, or with a vendor that has signed a business associate agreement, with all text and inputs masked (Microsoft Clarity: masking mode Strict; FullStory: Private by Default; Hotjar: suppress all text).`,
    },
    references: [hhsTracking, cfr('164.502'), cfr('164.514')],
    safeguards: [thirdParty, identifiers],
  },
  trackerInScript: {
    id: 'hipaa.tracker_in_script',
    title: 'One of the site’s own scripts can load a tracker',
    severity: 'medium',
    why: 'Bundles load trackers after the page has been read, so that they do not show in its markup and are easily forgotten.',
    fix: {
      advice:
        'Look up in the bundle’s source where the vendor’s script is loaded, and on which pages. Remove the package or the snippet (such as `react-ga4`, `@next/third-parties`, `react-facebook-pixel`, `@hotjar/browser`), unless a business associate agreement covers it. A Content-Security-Policy whose `script-src` and `connect-src` leave the vendor’s hosts out stops what is overlooked.',
    },
    references: [hhsTracking, cfr('164.502')],
    safeguards: [thirdParty, identifiers],
  },
  healthTermsInUrl: {
    id: 'hipaa.health_terms_in_url',
    title: 'Health or identity data is passed in addresses',
    severity: 'medium',
    why: 'Query strings stay in browser histories, server and proxy logs and referrers, where nobody controls who reads about a patient.',
    fix: {
      advice:
        'Send such values in the body of a POST request (`<form method="post">`, or `fetch` with a body), and keep them in the session between pages. Where a link must point to a record, use a random reference that tells nothing and works for the logged-in person only. Leave query strings out of logs; nginx: `log_format` with `$uri` instead of `$request`.',
    },
    references: [
      'https://cwe.mitre.org/data/definitions/598.html',
      'https://www.rfc-editor.org/rfc/rfc9110#section-17.9',
      cfr('164.312'),
    ],
    safeguards: [
      lowers(
        safeguards.usesAndDisclosures,
        'Addresses are kept in histories, logs and referrers, where people without authorization can read them.',
      ),
    ],
  },
  identityFormInsecure: {
    id: 'hipaa.identity_form_insecure',
    title: 'A form asks for identity data without encryption',
    severity: 'high',
    why: 'Names, dates of birth and insurance numbers that travel over plain HTTP can be read and changed by everyone on the way.',
    fix: {
      advice:
        'Serve the page and the form’s target over HTTPS only. nginx: `server { listen 80; return 301 https://$host$request_uri; }` Apache: `Redirect permanent / https://www.example.com/` Then write the form’s action without a scheme, or with https://, and send Strict-Transport-Security.',
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
    title: 'The page links to no privacy notice',
    severity: 'low',
    why: 'A covered entity that has a website about its services or benefits must post its notice of privacy practices there, where visitors can find it (45 CFR 164.520(c)(3)(i)).',
    fix: {
      advice:
        'Link the notice of privacy practices from every page, usually in the footer, with a text that says so: `<a href="/notice-of-privacy-practices">Notice of privacy practices</a>`. If you are a business associate, link your privacy policy.',
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
    title: 'A page behind the log-in may be kept in caches',
    severity: 'medium',
    why: 'A cache on the way may hand the page to somebody else, and the browser of a shared workstation shows it again after the log-off.',
    fix: {
      advice:
        'Send `Cache-Control: no-store` with everything that needs a log-in. nginx: `add_header Cache-Control "no-store" always;` in the protected location. Caddy: `header Cache-Control "no-store"` Express: `app.use("/app", (req, res, next) => { res.set("Cache-Control", "no-store"); next(); })` Django: `@never_cache` or `@cache_control(private=True, no_store=True)` Spring Security sends it unless `headers().cacheControl().disable()` is set.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.5', cfr('164.312')],
    safeguards: [
      lowers(safeguards.accessControl, 'A cache can show a signed-in person’s page to someone else.'),
    ],
  },
} as const satisfies Record<string, Check>;
