import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const components =
  'https://owasp.org/www-project-top-ten/2017/A9_2017-Using_Components_with_Known_Vulnerabilities';
const cwe1104 = 'https://cwe.mitre.org/data/definitions/1104.html';

export const librariesChecks = {
  vulnerable: {
    id: 'libraries.vulnerable',
    title: 'The page uses a JavaScript library with known vulnerabilities',
    severity: 'medium',
    why: 'The vulnerabilities and how to exploit them are public. Many let an attacker run scripts with the page’s rights.',
    fix: {
      advice:
        'Update the library to the version that the finding names, and rebuild or change the CDN’s URL and its integrity hash. Read the upgrade guide if the major version changes. For indirect dependencies, use `overrides` in package.json. In a CMS, update the core, theme and plugins. If a vendor provides you with a patched build of an old version, accept the finding.',
      steps: [
        {
          place: 'shell',
          code: 'npm ls jquery\nnpm install jquery@3.7.1',
          replace: { jquery: 'the library', '3.7.1': 'the version that the finding names' },
          note: 'The first command shows which packages depend on it.',
        },
      ],
    },
    references: [
      components,
      'https://github.com/advisories',
      'https://cwe.mitre.org/data/definitions/1395.html',
    ],
    safeguards: [
      lowers(
        safeguards.riskManagement,
        'A published vulnerability in use is a known risk that has not been reduced.',
      ),
    ],
  },
  endOfLife: {
    id: 'libraries.end_of_life',
    title: 'The page uses a JavaScript library that is no longer maintained',
    severity: 'low',
    why: 'New vulnerabilities will not be fixed, and may not even be published.',
    fix: {
      advice:
        'Plan a migration to a maintained version: jQuery 3 or 4, Bootstrap 5, Vue 3, TinyMCE 6 or later, CKEditor 5, Angular instead of AngularJS, a current framework instead of jQuery Mobile, YUI or Prototype. Until then, consider extended support from a vendor and a strict Content-Security-Policy.',
    },
    references: [cwe1104, 'https://endoflife.date/'],
    safeguards: [
      lowers(
        safeguards.riskManagement,
        'Vulnerabilities found from now on will not be fixed, and the risk grows.',
      ),
    ],
  },
  databaseOutdated: {
    id: 'libraries.database_outdated',
    title: 'The scanner’s library advisories are outdated',
    severity: 'info',
    why: 'The scanner’s newest advisory is more than a year old, so vulnerabilities published since then are not detected.',
    fix: {
      advice:
        'Update Parapet. If there is no newer release, run `npx tsx maintenance/renew-advisories.ts` and rebuild. The age is that of the newest advisory, not of the release.',
    },
    references: ['https://github.com/RetireJS/retire.js', components],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
