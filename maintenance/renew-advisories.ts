import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  advisoriesDate as bundledDate,
  advisories as bundledTable,
} from '../src/detectors/website/libraries/advisories.ts';
import { contentDateOf } from './advisories/content-date.ts';
import { publicationDates } from './advisories/publication-dates.ts';

// Writes src/detectors/website/libraries/advisories.ts anew from Retire.js's repository, as published with
// @salesforce/code-analyzer-retirejs-engine (vulnerabilities/RetireJsVulns.json). docs/decisions/0008 says why.
//   npx tsx maintenance/renew-advisories.ts <RetireJsVulns.json> <version of the package> <date of its release>
// The table bears the publication date of its newest advisory. It is not written where the source lags, or where an advisory
// that is new has no date in maintenance/advisories/publication-dates.ts.

interface Entry {
  readonly below?: string;
  readonly atOrAbove?: string;
  readonly severity: string;
  readonly identifiers: {
    readonly CVE?: readonly string[];
    readonly githubID?: string;
    readonly retid?: string;
    readonly summary?: string;
  };
}
type Repository = Readonly<Record<string, { readonly vulnerabilities?: readonly Entry[] } | undefined>>;

/** Our name of a library, and Retire.js's where it is another. */
const libraries: Readonly<Record<string, string>> = {
  alasql: 'AlaSQL',
  angularjs: 'angularjs',
  axios: 'axios',
  backbone: 'backbone.js',
  bootstrap: 'bootstrap',
  'bootstrap-select': 'bootstrap-select',
  chartjs: 'chart.js',
  ckeditor: 'ckeditor',
  ckeditor5: 'ckeditor5',
  datatables: 'jquery.datatables',
  dojo: 'dojo',
  dompurify: 'DOMPurify',
  ember: 'ember',
  extjs: 'ExtJS',
  froala: 'froala',
  handlebars: 'handlebars',
  highcharts: 'highcharts',
  jquery: 'jquery',
  'jquery-migrate': 'jquery-migrate',
  'jquery-mobile': 'jquery-mobile',
  'jquery-ui': 'jquery-ui',
  'jquery-validation': 'jquery-validation',
  jszip: 'jszip',
  knockout: 'knockout',
  lodash: 'lodash',
  'markdown-it': 'markdown-it',
  mathjax: 'mathjax',
  moment: 'moment.js',
  mustache: 'mustache.js',
  next: 'nextjs',
  pdfjs: 'pdf.js',
  prettyphoto: 'jquery.prettyPhoto',
  prototype: 'prototypejs',
  'react-dom': 'react-dom',
  select2: 'select2',
  tinymce: 'tinyMCE',
  'ua-parser-js': 'ua-parser-js',
  underscore: 'underscore.js',
  vue: 'vue',
  yui: 'YUI',
};

/** What cannot happen in a browser: requests that servers make, and rendering on servers. */
const elsewhere = new Set([
  'CVE-2019-10742', // axios: Node's limit of the content length
  'CVE-2020-28168', // axios: Node's proxies
  'CVE-2024-39338', // axios: requests of servers
  'CVE-2025-58754', // axios: Node's data: URLs
  'CVE-2022-24785', // moment: names of files on servers
]);
/** Entries without an identifier are about Vue's server renderer and axios' redirects in Node. */
const onServers = new Set(['axios', 'vue']);
/** An end of life is no flaw: it has a check of its own. */
const skipped = (library: string, { identifiers: { CVE, githubID, summary } }: Entry) =>
  /end.of.life/i.test(summary ?? '') ||
  (CVE ?? []).some(id => elsewhere.has(id)) ||
  (CVE === undefined && githubID === undefined && onServers.has(library));

const [file, version, date] = process.argv.slice(2);
if (file === undefined || version === undefined || !/^\d{4}-\d\d-\d\d$/.test(date ?? '')) {
  throw new Error('Usage: renew-advisories.ts <RetireJsVulns.json> <version> <YYYY-MM-DD>');
}
const repository = JSON.parse(readFileSync(file, 'utf8')) as Repository;

const table = Object.fromEntries(
  Object.entries(libraries).map(([name, theirs]) => {
    const entries = repository[theirs]?.vulnerabilities ?? [];
    if (entries.length === 0) throw new Error(`Nothing is known about ${theirs}`);
    const ranges = entries
      .filter(entry => !skipped(name, entry))
      .map(({ atOrAbove, below, severity, identifiers }) => {
        const id = identifiers.CVE?.join('+') || identifiers.githubID || '-';
        // A bound like 999.999.999 stands for all versions.
        const end = below === undefined || /^\d{3,}\.|\.999/.test(below) ? '' : below;
        return `${atOrAbove && atOrAbove !== '0' ? atOrAbove : ''}..${end} ${severity} ${id}`;
      });
    return [name, [...new Set(ranges)].join(', ')];
  }),
);

const newest = contentDateOf({
  table,
  bundled: bundledTable,
  bundledDate,
  dates: publicationDates,
  today: new Date().toISOString(),
});
const lines = Object.entries(table).map(
  ([name, ranges]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}:\n    '${ranges}',`,
);

const target = new URL('../src/detectors/website/libraries/advisories.ts', import.meta.url);
writeFileSync(
  fileURLToPath(target),
  `// Made by maintenance/renew-advisories.ts: not for editing.
// Facts from Retire.js's repository (https://github.com/RetireJS/retire.js, Apache License 2.0, Erlend Oftedal and
// contributors), as released with @salesforce/code-analyzer-retirejs-engine ${version} on ${date}: versions, severities, ids.

/** When the newest advisory of the table was published (${newest.id}). The release above may be later: it brought nothing newer. */
export const advisoriesDate = '${newest.date}';

/** By library: \`from..below severity ids\`, comma-separated; an empty bound is none, \`-\` an advisory without id. */
export const advisories: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);
