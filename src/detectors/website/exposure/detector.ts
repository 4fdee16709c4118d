import type { Assessment } from '../../../captures/assessment.ts';
import type { ExposureKind } from '../../../captures/listed-paths.ts';
import { inFullScan, sourceMapsOf } from '../../../captures/places.ts';
import type {
  ExposureCapture,
  ExposureProbe,
  HttpResponse,
  OriginExposure,
  WebsiteCapture,
} from '../../../captures/website.ts';
import { type DetectionBuilder, detecting } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { type Asked, answerOf, askedOf, type Controls, changeOf, type PathAnswer } from '../path-answer.ts';
import {
  errorPageReason,
  isErrorPage,
  leftOutReason,
  mediaType,
  originOf,
  unreadReason,
} from '../response.ts';
import { isUsualPage } from '../usual-page.ts';
import { exposureChecks as checks } from './checks.ts';
import { isHarmless } from './harmless.ts';
import { type FileKind, fileKinds, looksLikeHtml, signatures, withoutMark } from './signatures.ts';
import { repositoryOf } from './version-control.ts';
import { areOfPackages, lighterSeverity } from './weigh.ts';

const checkOf: Record<FileKind, Check> = {
  version_control: checks.versionControl,
  secrets_file: checks.secretsFile,
  backup: checks.backup,
  source_copy: checks.sourceCopy,
  shell_history: checks.shellHistory,
  log_file: checks.logFile,
  development_file: checks.developmentFile,
  actuator: checks.actuator,
  server_status: checks.serverStatus,
  phpinfo: checks.phpinfo,
  directory_index_file: checks.directoryIndexFile,
  cross_domain_policy: checks.crossDomainPolicy,
  source_map: checks.sourceMap,
  graphql: checks.graphql,
  api_documentation: checks.apiDocumentation,
};

/**
 * Files and endpoints that should not be public. A finding requires a success status, the signature of the real content, and a
 * response that differs from the one for a path that does not exist.
 */
export const exposureDetector: Detector<WebsiteCapture> = {
  name: 'website.exposure',
  surface: 'website',
  reads: ['exposure', 'texts'],
  checks: Object.values(checks),
  detect: detecting((found, { exposure, https, http, page, texts, depth }) => {
    detectCarriedMaps(found, page, texts, exposure);
    if (!exposure.assessed) return found.cannotAssess(Object.values(checks), exposure.reason);
    const asked = askedOf({ https, http }, [exposure.value, ...exposure.value.elsewhere]);
    const places = new Places();
    for (const at of [exposure.value, ...exposure.value.elsewhere])
      for (const probe of at.probes) detectFile(found, probe, at, asked, page, places);
    for (const kind of fileKinds.filter(kind => exposure.value.left_out.includes(kind))) {
      found.cannotAssess([checkOf[kind]], leftOutReason);
      places.add(kind, locatorOf(exposure.value.origin, kind, ''), false);
    }
    const ofTexts = texts.assessed ? texts.value : [{ text: texts }];
    if (depth === 'full' && page.assessed && ofTexts.every(({ text }) => text.assessed))
      places.add('source_map', inFullScan(sourceMapsOf(originOf(page.value.url))), true);
    for (const kind of fileKinds) found.assessesOnly(checkOf[kind], places.assessed(kind));
    // Source maps are requested next to the scripts that the page loads.
    const unseen = page.assessed ? unseenReason(page.value) : page.reason;
    if (unseen !== null) found.cannotAssess([checks.sourceMap], unseen);
    detectSecurityTxt(found, exposure.value, asked);
  }),
};

/** The places of each kind, and whether all responses of a place were decided. */
class Places {
  readonly #exposed = new Set<string>();
  readonly #decided = new Map<FileKind, Map<string, boolean>>();

  add(kind: FileKind, place: string, isDecided: boolean): void {
    const places = this.#decided.get(kind) ?? new Map<string, boolean>();
    places.set(place, (places.get(place) ?? true) && isDecided);
    this.#decided.set(kind, places);
  }

  expose(place: string): string {
    this.#exposed.add(place);
    return place;
  }

  isExposed(place: string): boolean {
    return this.#exposed.has(place);
  }

  assessed(kind: FileKind): string[] {
    return [...(this.#decided.get(kind) ?? [])].flatMap(([place, isDecided]) => (isDecided ? [place] : []));
  }
}

/** Maps within scripts, and those that a full scan reads. */
function detectCarriedMaps(
  found: DetectionBuilder,
  page: Assessment<HttpResponse>,
  texts: WebsiteCapture['texts'],
  exposure: WebsiteCapture['exposure'],
): void {
  if (!page.assessed) return;
  const place = sourceMapsOf(originOf(page.value.url));
  // Maps that safe scans request too are judged by those responses.
  const requested = new Set(
    exposure.assessed ? exposure.value.probes.map(({ path }) => exposure.value.origin + path) : [],
  );
  const carried = (texts.assessed ? texts.value : []).filter(({ name }) => name !== null);
  for (const [files, at] of [
    [carried.filter(({ full }) => !full), place],
    [carried.filter(({ full, url }) => full && !requested.has(url)), inFullScan(place)],
  ] as const) {
    if (files.length === 0) continue;
    const text = `Source maps carry ${files.length} source ${files.length === 1 ? 'file' : 'files'}.`;
    const names = files.flatMap(({ name }) => name ?? []);
    found.observe(checks.sourceMap, at, text, areOfPackages(names) ? 'info' : undefined);
  }
}

function unseenReason(page: HttpResponse): string | null {
  return isErrorPage(page) ? errorPageReason(page) : page.body_unread;
}

function detectFile(
  found: DetectionBuilder,
  probe: ExposureProbe,
  at: OriginExposure,
  asked: Asked,
  page: Assessment<HttpResponse>,
  places: Places,
): void {
  const own = fileKinds.find(kind => kind === probe.kind) ?? null;
  if (own === null && probe.kind !== 'named') return;
  const path = probe.path.split('?', 1)[0]!;
  const result = judge(probe, at, asked, own, page);
  const placeOf = (kind: ExposureKind) => {
    const place = locatorOf(at.origin, kind, path);
    return probe.posted ? inFullScan(place) : place;
  };
  // The place of a named path may have been one of any kind.
  const kinds = new Set(own === null ? anywhere : [own]);
  if (result.kind === 'exposed') {
    kinds.add(result.file);
    const { status, body, body_truncated } = result.response;
    // The unread rest of a file that was cut off may be worse. A source map names its sources first.
    const isUndecided = body_truncated && result.file !== 'source_map';
    const severity = isUndecided ? undefined : lighterSeverity(result.file, withoutMark(body), path);
    const seen = `${path} returns status ${status}. ${result.sentence}`;
    const place = placeOf(result.file);
    if (!probe.posted || !places.isExposed(locatorOf(at.origin, result.file, path)))
      found.observe(checkOf[result.file], places.expose(place), seen, severity);
  }
  if (result.kind === 'unknown' && own !== null) found.cannotAssess([checkOf[own]], result.reason);
  for (const kind of kinds) places.add(kind, placeOf(kind), result.kind !== 'unknown');
}

type Judgement =
  | Exclude<PathAnswer, { kind: 'content' }>
  | ({ readonly kind: 'exposed'; readonly response: HttpResponse } & FoundFile);

interface FoundFile {
  readonly file: FileKind;
  readonly sentence: string;
}

/** @param own what the path was requested for; null for a path that may lead to anything */
function judge(
  { path, response }: ExposureProbe,
  at: OriginExposure,
  asked: Asked,
  own: FileKind | null,
  page: Assessment<HttpResponse>,
): Judgement {
  const answer = answerOf(response, at, asked);
  if (answer.kind !== 'content') return answer;
  const { response: content, controls } = answer;
  const plainPath = path.split('?', 1)[0]!;
  const file = fileOf(content, plainPath, own);
  if (file === null) {
    const reason = undecidedContent(own, content, plainPath, controls, page);
    return reason === null ? { kind: 'absent' } : { kind: 'unknown', reason };
  }
  // Without a control, the site may return the same content for every path.
  const { control } = controls;
  if (!control.assessed) return { kind: 'unknown', reason: control.reason };
  const ofControl = answerOf(control, controls, asked);
  const isUsual =
    ofControl.kind === 'content' && fileOf(ofControl.response, plainPath, own)?.file === file.file;
  return isUsual
    ? { kind: 'unknown', reason: 'Paths that do not exist return the same content.' }
    : { kind: 'exposed', response: content, ...file };
}

/** Kinds that are recognized at any path, most severe first: a path may lead to a file of another kind. */
const anywhere: readonly FileKind[] = [
  'secrets_file',
  'backup',
  'source_copy',
  'shell_history',
  'log_file',
  'phpinfo',
  'server_status',
  'api_documentation',
  'development_file',
];

function fileOf(response: HttpResponse, path: string, own: FileKind | null): FoundFile | null {
  const body = withoutMark(response.body);
  const isHtml = looksLikeHtml(body, mediaType(response));
  for (const file of own === null ? anywhere : [own, ...anywhere]) {
    const sentence = signatures[file](body, path, isHtml);
    if (sentence !== null) return { file, sentence };
  }
  return null;
}

/** Why content that does not match the file’s signature does not rule the file out. Null where it does. */
function undecidedContent(
  kind: FileKind | null,
  content: HttpResponse,
  path: string,
  controls: Controls,
  page: Assessment<HttpResponse>,
): string | null {
  const change = changeOf(controls);
  if (change !== null) return change;
  const body = withoutMark(content.body);
  if (body.trim() === '') return emptyReason;
  if (isCompressed(body) && !archive.test(path)) return compressedReason;
  if (content.body_truncated && !isPage(body)) return unreadReason('file');
  const isKnown =
    (kind !== null && isHarmless(kind, body, path)) || isUsualPage(content, controls.control, page);
  return isKnown ? null : 'A path returns neither a page of the site nor a file that the scan recognizes.';
}

const emptyReason = 'A path returns an empty response.';
const compressedReason = 'A path returns content that is compressed more than once.';

/** Archive formats. */
const archive = /\.(?:t?gz|tgz|zst|zip|7z|rar|bz2|xz)$/i;

/** Whether it starts like gzip (RFC 1952, 2.3.1) or Zstandard (RFC 8878, 3.1.1). One character is one byte. */
const isCompressed = (body: string) => /^(?:\x1f\x8b|\x28\xb5\x2f\xfd)/.test(body);

/** A page identifies itself at its start, so one without the signature needs no further reading. */
function isPage(body: string): boolean {
  return /^\s{0,200}<(?:!doctype html|html)\b/i.test(body.slice(0, 300)) && /<body\b/i.test(body);
}

function locatorOf(origin: string, kind: ExposureKind, path: string): string {
  if (kind === 'source_map') return sourceMapsOf(origin);
  // A repository is one finding, however many of its files are public.
  if (kind === 'version_control') return `${origin}${repositoryOf(path)}`;
  return `${origin}${path}`;
}

/** `/.well-known/security.txt`, or the older `/security.txt` (RFC 9116, 3). */
function detectSecurityTxt(found: DetectionBuilder, exposure: ExposureCapture, asked: Asked) {
  const { origin, probes } = exposure;
  const answers = probes
    .filter(({ kind }) => kind === 'security_txt')
    .map(({ response }) => answerOf(response, exposure, asked));
  const isThere = answers.some(
    answer => answer.kind === 'content' && /^contact:\s{0,20}\S/im.test(withoutMark(answer.response.body)),
  );
  if (isThere) return;
  const reasons = answers.map(answer => {
    if (answer.kind !== 'content') return answer.kind === 'unknown' ? answer.reason : null;
    const isEmpty = answer.response.body.trim() === '';
    return changeOf(answer.controls) ?? (isEmpty ? emptyReason : null);
  });
  const reason =
    answers.length === 0 ? 'The scan did not request security.txt.' : reasons.find(one => one !== null);
  if (reason) return found.cannotAssess([checks.securityTxt], reason);
  found.observe(
    checks.securityTxt,
    origin,
    'Neither /.well-known/security.txt nor /security.txt contains a contact.',
  );
}
