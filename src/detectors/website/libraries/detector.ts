import { inFullScan } from '../../../captures/places.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { vendorOf } from '../hipaa/trackers.ts';
import { readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import {
  isDocument,
  isErrorPage,
  originOf,
  requireDocument,
  unreadReason,
  withoutQuery,
} from '../response.ts';
import { advisoriesDate } from './advisories.ts';
import { librariesChecks as checks } from './checks.ts';
import { librariesInScript } from './find-in-script.ts';
import { librariesInUrl, type NamedLibrary } from './find-in-url.ts';
import { type Advisory, type Judgement, judgeVersion } from './judge-version.ts';
import { knownLibraries } from './known-libraries.ts';
import { librariesIn } from './libraries-in.ts';
import { compareVersions } from './version.ts';

/** A version of a library, and where it is used. */
interface Use extends NamedLibrary {
  /** Only full scans read it. */
  readonly full?: true;
  /** For people. */
  readonly place: string;
}

const dayMs = 86_400_000;

/** JavaScript libraries by URL, file name and content, compared with a table of known vulnerabilities. */
export const librariesDetector: Detector<WebsiteCapture> = {
  name: 'website.libraries',
  surface: 'website',
  reads: ['scripts', 'texts'],
  checks: Object.values(checks),
  perSubject: pageSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const { page } = capture;
    detectAge(found, capture.collected_at);
    noteWhatIsMissing(found, capture);
    if (!page.assessed) return;
    const origin = originOf(page.value.url);
    const lines = new Map<string, Map<string, Use>>();
    const { uses, isPartial, unread } = usesOf(page.value, capture);
    if (unread.size > 0) {
      const hosts = [...unread].slice(0, 3).join(', ');
      const reason = `A scan reads only the site’s own scripts, not those of ${hosts}.`;
      found.cannotPass([checks.vulnerable, checks.endOfLife], reason);
    }
    if (isPartial) {
      const reason = 'A script has too much text that resembles a library to compare all of it.';
      found.cannotAssess([checks.vulnerable, checks.endOfLife], reason);
    }
    const isVisible = (use: Use) =>
      uses.some(other => !other.full && other.library === use.library && other.version === use.version);
    for (const use of uses) {
      if (use.full && isVisible(use)) continue;
      const line = placeOfLine(origin, use);
      const versions = lines.get(line) ?? new Map<string, Use>();
      // Report the first place of each version.
      if (!versions.has(use.version)) versions.set(use.version, use);
      lines.set(line, versions);
    }
    for (const [line, versions] of lines) detectLine(found, line, [...versions.values()]);
    const { depth, texts } = capture;
    if (depth === 'full' && texts.assessed && texts.value.every(({ text }) => text.assessed))
      found.assessesFully([checks.vulnerable, checks.endOfLife]);
  }),
};

/** Libraries of source maps that safe scans do not read have places of their own. */
function placeOfLine(origin: string, { library, version, full }: Use): string {
  const place = `${origin} ${library}@${version.split('.', 1)[0]}`;
  return full ? inFullScan(place) : place;
}

function detectAge(found: DetectionBuilder, now: string): void {
  if (Date.parse(now) - Date.parse(advisoriesDate) <= 366 * dayMs) return;
  found.observe(
    checks.databaseOutdated,
    'advisories',
    `The scanner’s newest advisory is from ${advisoriesDate}.`,
  );
}

function noteWhatIsMissing(found: DetectionBuilder, { page, scripts }: WebsiteCapture) {
  const both = [checks.vulnerable, checks.endOfLife];
  // Without a page, nothing was compared, so the age of the advisories does not matter.
  const all = [...both, checks.databaseOutdated];
  if (!page.assessed) return found.cannotAssess(all, page.reason);
  requireDocument(found, isErrorPage(page.value) ? all : both, page.value);
  if (page.value.body_truncated) found.cannotAssess(both, unreadReason('page'));
  if (!scripts.assessed) return found.cannotAssess(both, scripts.reason);
  for (const { response } of scripts.value) {
    if (!response.assessed) found.cannotAssess(both, response.reason);
    else if (response.value.body_truncated) found.cannotAssess(both, unreadReason('script'));
  }
}

/** Libraries in the URLs that the page loads, in the site's own scripts and in inline scripts. */
function usesOf(
  page: HttpResponse,
  { scripts, texts }: WebsiteCapture,
): { readonly uses: readonly Use[]; readonly isPartial: boolean; readonly unread: ReadonlySet<string> } {
  const uses: Use[] = [];
  const unread = new Set<string>();
  let isPartial = false;
  const inScript = (text: string) => {
    const inside = librariesInScript(text);
    isPartial ||= inside.isPartial;
    return inside.libraries;
  };
  const bodies = new Map<string, string>();
  const asked = new Set(scripts.assessed ? scripts.value.map(({ url }) => url) : []);
  if (scripts.assessed) {
    for (const { url, response } of scripts.value)
      if (response.assessed) bodies.set(url, response.value.body);
  }
  const read = (url: string) => {
    const place = placeOf(url, page);
    const inside = inScript(bodies.get(url) ?? '');
    // A file's content takes precedence over its name, if it contains the exact version.
    const exact = inside.filter(({ oldest }) => oldest === undefined);
    const inText = new Set(exact.map(({ library }) => library));
    // A file that does not exist runs nothing, whatever its name.
    const ofUrl = bodies.get(url) === '' ? [] : librariesInUrl(url);
    if (ofUrl.length === 0 && !asked.has(url) && isForeign(url, page)) unread.add(new URL(url).hostname);
    const named = ofUrl.filter(({ library }) => !inText.has(library));
    const names = new Set(named.map(({ library }) => library));
    const read = inside.filter(({ library, oldest }) => oldest === undefined || !names.has(library));
    for (const library of [...read, ...named]) uses.push({ ...library, place });
  };
  const urls = new Set(bodies.keys());
  if (isDocument(page)) {
    const { resources, inlineScripts, importMaps, angularVersions } = readMarkup(page);
    for (const { element, url, loads } of resources) if (element === 'script' && loads) urls.add(url);
    for (const text of inlineScripts) {
      for (const library of inScript(text)) uses.push({ ...library, place: 'an inline script' });
    }
    for (const text of importMaps) {
      for (const library of librariesIn(text)) uses.push({ ...library, place: 'the import map' });
    }
    for (const version of angularVersions) {
      if (isPlainRelease(version))
        uses.push({ library: 'angular-core', version, place: 'the page’s markup' });
    }
  }
  for (const url of urls) read(url);
  // Original files keep the comments that builds remove.
  for (const { name, text, full } of texts.assessed ? texts.value : []) {
    if (name === null || !text.assessed) continue;
    for (const library of inScript(text.value))
      uses.push({ ...library, place: 'a source map', ...(full ? { full } : {}) });
  }
  return { uses, isPartial, unread };
}

/** Whether a script is from another site and unknown: loaders of known vendors are not libraries. */
function isForeign(url: string, page: HttpResponse): boolean {
  const { protocol, hostname, pathname } = new URL(url);
  if (!/^https?:$/.test(protocol) || hostname === new URL(page.url).hostname) return false;
  return vendorOf(hostname, pathname) === undefined;
}

function placeOf(url: string, page: HttpResponse): string {
  if (!/^https?:/.test(url)) return 'a script of the page';
  return quoted(
    originOf(url) === originOf(page.url) ? new URL(withoutQuery(url)).pathname : withoutQuery(url),
    100,
  );
}

/** All uses of one major version of a library: one finding, which is resolved when none of them is vulnerable. */
function detectLine(found: DetectionBuilder, locator: string, uses: readonly Use[]): void {
  const { name, maintainedFrom } = knownLibraries[uses[0]!.library]!;
  const judged = uses.flatMap(use => {
    const judgement = judgeVersion(use.library, use.version, use.oldest);
    return judgement === null ? [] : [{ use, judgement }];
  });
  // The oldest version has the most advisories; the severity is the highest of any.
  const oldest = judged.sort((a, b) => compareVersions(a.use.version, b.use.version))[0];
  if (oldest !== undefined) {
    const severity = bySeverity.find(name => judged.some(({ judgement }) => judgement.severity === name));
    found.observe(checks.vulnerable, locator, sentence(oldest.use, oldest.judgement), severity);
  }
  const old = uses.find(({ version }) => isUnmaintained(version, maintainedFrom));
  if (old !== undefined) {
    const until =
      maintainedFrom === null
        ? 'No version is maintained'
        : `Version ${maintainedFrom} and later are maintained`;
    found.observe(checks.endOfLife, locator, `${name} ${shown(old)} is loaded from ${old.place}. ${until}.`);
  }
}

const isPlainRelease = (version: string) => compareVersions(version, '0') > 0;

function isUnmaintained(version: string, maintainedFrom: string | null | undefined): boolean {
  if (maintainedFrom === undefined) return false;
  return maintainedFrom === null || compareVersions(version, maintainedFrom) < 0;
}

const bySeverity = ['critical', 'high', 'medium', 'low', 'info'] as const;
const shownIds = 4;

/** The version for people. */
const shown = ({ version, oldest }: Use) => (oldest === undefined ? version : `${version} or earlier`);

function sentence(use: Use, { worst, ids, count, fixedIn }: Judgement): string {
  const { name, maintainedFrom } = knownLibraries[use.library]!;
  // Fixes for old versions are often available only to a vendor's customers.
  const isOld = fixedIn !== null && isUnmaintained(fixedIn, maintainedFrom);
  const target = isOld ? (maintainedFrom ?? null) : fixedIn;
  const fix = target === null ? 'No published version fixes it' : `Update to ${target} or later`;
  const others = ids.filter(id => !worst.ids.includes(id));
  const rest = others.length === 0 ? '' : ` The others are ${listed(others)}.`;
  const vector = worst.cvss === null ? '' : ` Vector of the score: ${worst.cvss.vector}.`;
  return `${name} ${shown(use)} is loaded from ${use.place}. ${described(worst, count)}. ${fix}.${rest}${vector}`;
}

/** The worst advisory in words, with its ids. */
function described({ ids, severity, onlyDelays, cvss, isExploited }: Advisory, count: number): string {
  const subject = count === 1 ? 'Its known vulnerability' : `The worst of ${count} known vulnerabilities`;
  const effect =
    severity === 'info'
      ? 'affects only Node.js'
      : onlyDelays
        ? 'only makes a visitor’s page hang'
        : `has ${severity} severity${cvss === null ? '' : ` (CVSS ${cvss.score.toFixed(1)})`}`;
  const exploitation = isExploited ? ' and is known to be exploited' : '';
  return `${subject} ${effect}${exploitation}${ids.length === 0 ? '' : `: ${ids.join(', ')}`}`;
}

function listed(ids: readonly string[]): string {
  return `${ids.slice(0, shownIds).join(', ')}${ids.length > shownIds ? ' and more' : ''}`;
}
