import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const components =
  'https://owasp.org/www-project-top-ten/2017/A9_2017-Using_Components_with_Known_Vulnerabilities';
const cwe1104 = 'https://cwe.mitre.org/data/definitions/1104.html';

export const librariesChecks = {
  vulnerable: {
    id: 'libraries.vulnerable',
    title: 'A JavaScript library with known vulnerabilities is in use',
    severity: 'medium',
    why: 'The flaws and how to use them are public: often a script that a visitor can be made to run with the rights of the page.',
    fix: {
      advice:
        'Update the library to the version that the finding names: `npm install NAME@VERSION` and a new build, or the new URL with its integrity hash where a delivery network serves it. Read the notes on upgrading when the major version changes (jQuery: load jQuery Migrate while testing). To see what brings an old version in: `npm ls NAME`; for dependencies of dependencies use `overrides` in package.json. In a CMS update its core, theme and plugins. Where a vendor sells you a corrected build of an old version, accept the finding.',
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
    title: 'A JavaScript library is in use that its makers no longer maintain',
    severity: 'low',
    why: 'Flaws that are found from now on will not be corrected, and may not even be published.',
    fix: {
      advice:
        'Plan the move to a maintained line: jQuery 3 or 4, Bootstrap 5, Vue 3, TinyMCE 6 or later, CKEditor 5, Angular instead of AngularJS, a current framework instead of jQuery Mobile, YUI or Prototype. Until then consider extended support from a vendor, and a strict Content-Security-Policy.',
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
    title: 'The scanner knows of no library advisory from the past year',
    severity: 'info',
    why: 'The newest advisory in the scanner’s table is more than a year old. Vulnerabilities published since are not found, so a scan without findings says little.',
    fix: {
      advice:
        'Update Parapet. If there is no newer release, renew the table with `npx tsx maintenance/renew-advisories.ts` and build. The age counts from the publication of the newest advisory in the table, not from the release of the table.',
    },
    references: ['https://github.com/RetireJS/retire.js', components],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
