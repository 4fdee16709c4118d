import type { Assessment } from '../../../captures/assessment.ts';
import type { ExposureKind } from '../../../captures/listed-paths.ts';
import { isGone, isRefusal } from '../../../captures/statuses.ts';
import type {
  ExposureProbe,
  HttpResponse,
  OriginExposure,
  WebsiteCapture,
} from '../../../captures/website.ts';
import { type DetectionBuilder, detecting } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { type Asked, answerOf, askedOf, changeOf } from '../path-answer.ts';
import { withoutQuery } from '../response.ts';
import { softwareChecks as checks } from './checks.ts';
import { areScriptsRead, developmentServerIn } from './development-bundles.ts';
import type { Product, ProductKind } from './products/product.ts';
import { productsIn } from './products/recognize.ts';
import { versionShown } from './version-shown.ts';

const checkOf: Record<ProductKind, Check> = {
  installer: checks.installer,
  database_console: checks.databaseConsole,
  admin_console: checks.adminConsole,
  metrics: checks.metrics,
  debugger: checks.debugger,
  default_page: checks.defaultPage,
  user_list: checks.userList,
  xml_rpc: checks.xmlRpc,
  version_file: checks.versionShown,
};
const all = Object.values(checks);
/** Kinds of paths that lead to files. A place that no check lists would never be resolved, and many would be too many to list. */
const ofFiles: ReadonlySet<ExposureKind> = new Set([
  ...(['backup', 'cross_domain_policy', 'development_file', 'directory', 'directory_index_file'] as const),
  ...(['log_file', 'secrets_file', 'security_txt', 'shell_history', 'source_copy', 'source_map'] as const),
  'version_control' as const,
]);

/** The front page decides these; the others also need paths. */
const ofPage: readonly Check[] = [checks.defaultPage, checks.versionShown];

/**
 * Software that should not be public, recognized by its content at any path but those of files: installers, consoles, debuggers,
 * metrics, default pages, lists of users.
 */
export const softwareDetector: Detector<WebsiteCapture> = {
  name: 'website.software',
  surface: 'website',
  reads: ['exposure', 'scripts'],
  checks: all,
  detect: detecting((found, capture) => {
    const places = new Set<string>();
    detectOnPage(found, capture.page, places);
    detectInScripts(found, capture);
    const { exposure } = capture;
    if (!exposure.assessed) {
      found.cannotAssess(all, exposure.reason);
    } else {
      const origins = [exposure.value, ...exposure.value.elsewhere];
      const asked = askedOf(capture, origins);
      for (const at of origins)
        for (const probe of at.probes.filter(({ kind }) => !ofFiles.has(kind)))
          detectAtPath(found, probe, at, asked, places);
      requireRequests(found, exposure.value.probes);
    }
    found.assessesOnly(all, places);
    // Scripts of the page show development servers, too.
    const { page } = capture;
    if (page.assessed && !areScriptsRead(capture)) {
      places.delete(withoutQuery(page.value.url));
      found.assessesOnly(checks.debugger, places);
    }
  }),
};

function detectOnPage(found: DetectionBuilder, page: Assessment<HttpResponse>, places: Set<string>) {
  if (!page.assessed) return found.cannotAssess(ofPage, page.reason);
  const place = withoutQuery(page.value.url);
  places.add(place);
  for (const product of productsIn(page.value)) {
    if (!product.requiresLogin) observe(found, product, place, 'The page');
  }
  const version = versionShown(page.value);
  if (version !== null)
    found.observe(checks.versionShown, place, `The page names ${version} in its generator tag.`);
}

function detectInScripts(found: DetectionBuilder, capture: WebsiteCapture) {
  const server = developmentServerIn(capture);
  if (server === null || !capture.page.assessed) return;
  const seen = `The page’s scripts are those of ${server}.`;
  found.observe(checks.debugger, withoutQuery(capture.page.value.url), seen);
}

function detectAtPath(
  found: DetectionBuilder,
  { path, kind, response }: ExposureProbe,
  at: OriginExposure,
  asked: Asked,
  places: Set<string>,
): void {
  const plainPath = path.split('?', 1)[0]!;
  const place = `${at.origin}${plainPath}`;
  const answer = answerOf(response, at, asked);
  const content = answer.kind === 'content' ? answer.response : null;
  // A site that is such software shows it for every path.
  const usual = at.control.assessed ? productsIn(at.control.value) : [];
  const shown = (content === null ? inError(response) : productsIn(content)).filter(
    one => !usual.includes(one),
  );
  for (const product of shown) observe(found, product, place, plainPath);
  const isUnclear = content !== null && shown.length === 0;
  const change = isUnclear ? changeOf(answer.kind === 'content' ? answer.controls : at) : null;
  const reason = answer.kind === 'unknown' ? answer.reason : change;
  if (reason === null || shown.length > 0) places.add(place);
  else if (isOurs(kind)) found.cannotAssess([checkOf[kind]], reason);
}

const isOurs = (kind: ExposureKind): kind is ExposureKind & ProductKind => kind in checkOf;

/**
 * Some programs name themselves where they require a password, or refuse the method of the request. A page that says "not found" is
 * that of a server.
 */
function inError(response: ExposureProbe['response']): readonly Product[] {
  if (!response.assessed || response.value.status < 400 || isGone(response.value.status)) return [];
  const shown = productsIn(response.value);
  return isRefusal(response.value.status) ? shown.filter(({ requiresLogin }) => requiresLogin) : shown;
}

function observe(
  found: DetectionBuilder,
  { kind, what, severity }: Product,
  place: string,
  where: string,
): void {
  found.observe(checkOf[kind], place, `${where} is ${what}.`, severity);
}

/** Which paths a safe scan requests depends on what the site shows that it uses. */
function requireRequests(found: DetectionBuilder, probes: readonly ExposureProbe[]): void {
  const asked = new Set(probes.map(({ kind }) => kind));
  for (const [kind, check] of Object.entries(checkOf)) {
    if (ofPage.includes(check) || asked.has(kind as ExposureKind)) continue;
    found.doesNotApply([check], 'The site does not show that it uses software with such pages.');
  }
}
