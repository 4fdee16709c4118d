import type { Advisory } from './read-retire.ts';

/**
 * Facts that Retire.js's list does not have, copied by hand: vectors of advisories, and advisories of further
 * libraries. `renew-advisories.ts` adds them to the table.
 *
 * Sources: the GitHub Advisory Database (https://github.com/github/advisory-database, CC BY 4.0), as read in November 2026
 * from its files, which end in 2024; the CVE records of 2024 in CISA's vulnrichment repository (CC0, October 2024).
 */

/** When the facts were read (YYYY-MM-DD). */
export const factsDate = '2026-11-29';

/** Vectors of CVSS 3 by CVE or GitHub id. */
export const vectors: Readonly<Record<string, string>> = {
  'CVE-2019-10744': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H',
  'CVE-2019-11358': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2019-8331': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2020-11022': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:L/A:N',
  'CVE-2020-11023': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:L/A:N',
  'CVE-2020-28500': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
  'CVE-2020-7760': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
  'CVE-2020-8203': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:H',
  'CVE-2021-23337': 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H',
  'CVE-2021-23353': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2021-23358': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVE-2021-23383': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVE-2021-3749': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2021-43861': 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H',
  'CVE-2022-25873': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N',
  'CVE-2022-31129': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2022-31160': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2022-48285': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L',
  'CVE-2023-22467': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2023-28439': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2023-45818': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2023-45819': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2023-48219': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2024-21490': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-22363': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-28243': 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-28244': 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-28245': 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:L',
  'CVE-2024-29203': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N',
  'CVE-2024-29881': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N',
  'CVE-2024-34341': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N',
  'CVE-2024-34350': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N',
  'CVE-2024-34351': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  'CVE-2024-38356': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2024-38357': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVE-2024-39338': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:L/I:N/A:N',
  'CVE-2024-39693': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-45047': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N',
  'CVE-2024-45801': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L',
  'CVE-2024-46982': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-47831': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:H',
  'CVE-2024-47875': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:H/A:H',
  'CVE-2024-6485': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:L/A:L',
  'CVE-2024-8372': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:L',
  'CVE-2024-8373': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:L',
  'CVE-2024-9506': 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
};

/** Advisories of libraries, or for versions, that Retire.js's list does not have. */
export const githubAdvisories: readonly Advisory[] = [
  { library: 'codemirror', from: '', below: '5.58.2', severity: 'medium', ids: ['CVE-2020-7760'] },
  // GitHub says critical: of applications that rely on the default number of rounds.
  { library: 'crypto-js', from: '', below: '4.2.0', severity: 'high', ids: ['CVE-2023-46233'] },
  {
    library: 'd3-color',
    from: '',
    below: '3.1.0',
    severity: 'high',
    onlyDelays: true,
    ids: ['GHSA-36jr-mh4h-2g58'],
  },
  { library: 'gsap', from: '', below: '3.6.0', severity: 'high', ids: ['CVE-2020-28478'] },
  { library: 'jspdf', from: '', below: '2.3.1', severity: 'high', ids: ['CVE-2021-23353'] },
  { library: 'jspdf', from: '', below: '3.0.1', severity: 'high', onlyDelays: true, ids: ['CVE-2025-29907'] },
  { library: 'jspdf', from: '', below: '3.0.2', severity: 'high', onlyDelays: true, ids: ['CVE-2025-57810'] },
  { library: 'katex', from: '0.10.0-beta', below: '0.16.10', severity: 'medium', ids: ['CVE-2024-28243'] },
  { library: 'katex', from: '0.15.4', below: '0.16.10', severity: 'medium', ids: ['CVE-2024-28244'] },
  { library: 'katex', from: '0.11.0', below: '0.16.10', severity: 'medium', ids: ['CVE-2024-28245'] },
  { library: 'luxon', from: '1.0.0', below: '1.28.1', severity: 'high', ids: ['CVE-2023-22467'] },
  { library: 'luxon', from: '2.0.0', below: '2.5.2', severity: 'high', ids: ['CVE-2023-22467'] },
  { library: 'luxon', from: '3.0.0', below: '3.2.1', severity: 'high', ids: ['CVE-2023-22467'] },
  { library: 'mermaid', from: '', below: '8.13.8', severity: 'high', ids: ['CVE-2021-43861'] },
  { library: 'plotly', from: '', below: '2.25.2', severity: 'high', ids: ['CVE-2023-46308'] },
  { library: 'prismjs', from: '', below: '1.30.0', severity: 'medium', ids: ['CVE-2024-53382'] },
  { library: 'requirejs', from: '', below: '2.3.7', severity: 'high', ids: ['CVE-2024-38999'] },
  { library: 'swagger-ui', from: '', below: '4.1.3', severity: 'medium', ids: ['GHSA-qrmm-w75w-3wpx'] },
  { library: 'trix', from: '0.9.0', below: '1.3.2', severity: 'medium', ids: ['CVE-2024-34341'] },
  { library: 'trix', from: '2.0.0', below: '2.1.1', severity: 'medium', ids: ['CVE-2024-34341'] },
  { library: 'vuetify', from: '2.0.0-beta.4', below: '2.6.10', severity: 'medium', ids: ['CVE-2022-25873'] },
  { library: 'xlsx', from: '', below: '0.19.3', severity: 'medium', ids: ['CVE-2023-30533'] },
  { library: 'xlsx', from: '', below: '0.20.2', severity: 'high', ids: ['CVE-2024-22363'] },
];
