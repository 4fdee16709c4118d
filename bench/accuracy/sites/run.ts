import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Severity, severities } from '../../../src/contract/severity.ts';
import { checkById } from '../../../src/detectors/catalogue.ts';
import { goodRecords, goodTls, siteName } from '../../../test/support/hardened-site.ts';
import { scanWebsite } from '../../../test/support/scan-website.ts';
import { httpsServer } from '../../../test/support/website.ts';
import { progress } from '../../report/progress.ts';
import { table } from '../../report/table.ts';
import type { Depth } from '../case.ts';
import { unpacked } from './download.ts';
import { judgments } from './judgments.ts';
import { serve } from './serve.ts';
import { type Site, sites } from './sites.ts';

// Scans sites that other people built, served with every protection: `npm run accuracy:sites`. Fails for a finding above low that
// docs/accuracy.md does not judge. `--quick` scans five sites, `--only NAME` one, and prints all its findings. `--json FILE`
// writes all findings, and `--cache FOLDER` keeps the packages there.

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    json: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'parapet-built-sites') },
  },
});

interface Found {
  readonly site: string;
  readonly kind: string;
  readonly depth: Depth;
  readonly check: string;
  readonly severity: Severity;
  readonly locator: string;
  readonly seen: string;
}

const atOnce = 2;
/** With and without findings, and small. */
const quick = ['swagger-ui', 'json-server', 'todomvc-backbone', 'owl-carousel', 'vitest-ui'];
const isChosen = ({ name }: Site) =>
  options.only === undefined ? !options.quick || quick.includes(name) : name === options.only;
const chosen = sites.filter(isChosen);
const found: Found[] = [];
const failed: string[] = [];

async function scan(site: Site, depth: Depth): Promise<void> {
  const root = await unpacked(site, options.cache);
  const isApplication = site.kind === 'application';
  const server = await httpsServer(
    goodTls,
    serve({ root, folder: site.folder, ...(isApplication ? { otherwise: site.page } : {}) }),
  );
  try {
    const page = site.page === 'index.html' ? '' : site.page;
    const { observations } = await scanWebsite(`https://${siteName}:${server.port}/${page}`, goodRecords, {
      depth,
      signal: AbortSignal.timeout(300_000),
    });
    for (const { check, locator, seen, severity = checkById(check)!.severity } of observations)
      found.push({ site: site.name, kind: site.kind, depth, check, severity, locator, seen });
  } finally {
    await server.close();
  }
}

const left = [...chosen];
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let site = left.shift(); site; site = left.shift()) {
      for (const depth of ['safe', 'full'] as const) {
        const start = performance.now();
        await scan(site, depth).catch((error: unknown) => {
          failed.push(`${site!.name}, ${depth}: ${error}`);
        });
        progress(`${site.name}, ${depth}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
      }
    }
  }),
);

found.sort(
  (a, b) =>
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    a.check.localeCompare(b.check) ||
    a.site.localeCompare(b.site),
);
const above = found.filter(({ severity }) => severities.indexOf(severity) < severities.indexOf('low'));
/** Without the origin, whose port differs. */
const placeOf = (locator: string) => locator.replace(/https:\/\/portal\.clinic\.com:\d+\/?/, '').trim();
const keyOf = ({ site, check, locator }: Found) => `${site} ${check} ${placeOf(locator)}`;
const notJudged = above.filter(one => !judgments.has(keyOf(one)));
for (const { site, depth, check, severity, locator, seen } of options.only === undefined ? notJudged : found)
  process.stdout.write(`${severity}  ${site} (${depth})  ${check} ${locator}\n    ${seen}\n`);

const checks = [...new Set(found.map(({ check, severity }) => `${severity} ${check}`))];
const rows = checks.map(name => {
  const [severity = '', check = ''] = name.split(' ');
  const sitesWith = (depth: Depth) =>
    new Set(
      found
        .filter(one => one.check === check && one.severity === severity && one.depth === depth)
        .map(one => one.site),
    ).size;
  return [severity, check, String(sitesWith('safe')), String(sitesWith('full'))];
});
process.stdout.write(`\n${table(['severity', 'check', 'sites, safe scan', 'sites, full scan'], rows)}\n`);
const count = (list: readonly Found[]) => new Set(list.map(keyOf)).size;
process.stdout.write(
  `\n${chosen.length} sites, ${count(above)} findings above low, ${count(above.filter(one => judgments.get(keyOf(one)) === true))} right, ${count(notJudged)} not judged\n`,
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(found, null, 1)}\n`);
for (const line of failed) process.stderr.write(`not scanned: ${line}\n`);
process.exitCode = failed.length + notJudged.length > 0 ? 1 : 0;
