import type { Assessment } from '../../../evidence/assessment.ts';
import type { ExposureKind } from '../../../evidence/exposure-paths.ts';
import { sourceMapsOf } from '../../../evidence/places.ts';
import type {
  ExposureEvidence,
  ExposureProbe,
  HttpResponse,
  OriginExposure,
  WebsiteEvidence,
} from '../../../evidence/website.ts';
import { DetectionBuilder } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { type Asked, answerOf, askedOf, type Controls, changeOf, type PathAnswer } from '../path-answer.ts';
import { isMarkup, mediaType, unreadReason } from '../response.ts';
import { exposureChecks as checks } from './checks.ts';
import { isHarmless } from './secret-files.ts';
import { type FileKind, looksLikeHtml, signatures, withoutMark } from './signatures.ts';
import { lighterSeverity } from './weigh.ts';

const checkOf: Record<FileKind, Check> = {
  version_control: checks.versionControl,
  secrets_file: checks.secretsFile,
  backup: checks.backup,
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
 * Files and endpoints that nobody should reach. A hit needs a success status, the signature of the real thing,
 * and an answer other than the one for a path that does not exist.
 */
export const exposureDetector: Detector<WebsiteEvidence> = {
  name: 'website.exposure',
  surface: 'website',
  reads: ['exposure'],
  checks: Object.values(checks),
  detect({ exposure, https, http }) {
    const found = new DetectionBuilder();
    if (!exposure.assessed) {
      found.cannotAssess(Object.values(checks), exposure.reason);
      return found.result();
    }
    const asked = askedOf({ https, http }, [exposure.value, ...exposure.value.elsewhere]);
    for (const kind of Object.keys(checkOf) as FileKind[]) detectFiles(found, exposure.value, kind, asked);
    detectSecurityTxt(found, exposure.value, asked);
    return found.result();
  },
};

function detectFiles(
  found: DetectionBuilder,
  exposure: ExposureEvidence,
  kind: FileKind,
  asked: Asked,
): void {
  const check = checkOf[kind];
  const looked = new Set<string>();
  const missed = new Set<string>();
  for (const at of [exposure, ...exposure.elsewhere]) {
    for (const probe of at.probes.filter(probe => probe.kind === kind)) {
      const plainPath = probe.path.split('?', 1)[0] ?? probe.path;
      const place = locatorOf(at.origin, kind, plainPath);
      const result = judge(probe, at, asked, kind);
      if (result.kind === 'unknown') {
        found.cannotAssess([check], result.reason);
        missed.add(place);
        continue;
      }
      looked.add(place);
      if (result.kind === 'absent') continue;
      const { status, body, body_truncated } = result.response;
      const seen = `${plainPath} answers with status ${status}. ${result.sentence}`;
      // What follows in a file that was cut off may be worse than what was read.
      found.observe(
        check,
        place,
        seen,
        body_truncated ? undefined : lighterSeverity(kind, withoutMark(body)),
      );
    }
  }
  if (exposure.left_out.includes(kind)) missed.add(locatorOf(exposure.origin, kind, ''));
  for (const place of missed) looked.delete(place);
  found.looksOnlyAt(check, looked);
}

type Judgement =
  | Exclude<PathAnswer, { kind: 'content' }>
  | { readonly kind: 'exposed'; readonly response: HttpResponse; readonly sentence: string };

function judge(
  { path, response }: ExposureProbe,
  at: OriginExposure,
  asked: Asked,
  kind: FileKind,
): Judgement {
  const answer = answerOf(response, at, asked);
  if (answer.kind !== 'content') return answer;
  const { response: content, controls } = answer;
  const sentence = sentenceFor(kind, content, path);
  if (sentence === null) {
    const reason = undecidedContent(kind, content, path, controls);
    return reason === null ? { kind: 'absent' } : { kind: 'unknown', reason };
  }
  // Without a control nobody knows whether this site says yes to everything.
  const { control } = controls;
  if (!control.assessed) return { kind: 'unknown', reason: control.reason };
  const ofControl = answerOf(control, controls, asked);
  const isUsual = ofControl.kind === 'content' && sentenceFor(kind, ofControl.response, path) !== null;
  return isUsual
    ? { kind: 'unknown', reason: 'Paths that do not exist have the same answer.' }
    : { kind: 'exposed', response: content, sentence };
}

function sentenceFor(kind: FileKind, response: HttpResponse, path: string): string | null {
  const body = withoutMark(response.body);
  return signatures[kind](body, path, looksLikeHtml(body, mediaType(response)));
}

/** Kinds of files with secrets, which may have a form that the scan does not know. */
const mayBeUnusual: ReadonlySet<FileKind> = new Set(['secrets_file', 'version_control', 'backup']);

/** Why content that is not known as the file does not mean either that it is another. Null where it does. */
function undecidedContent(
  kind: FileKind,
  content: HttpResponse,
  path: string,
  controls: Controls,
): string | null {
  const change = changeOf(controls);
  if (change !== null) return change;
  const body = withoutMark(content.body);
  if (body.trim() === '') return emptyReason;
  if (content.body_truncated && !isPage(body)) return unreadReason('file');
  const isKnown =
    isMarkup(content) ||
    looksLikeHtml(body, mediaType(content)) ||
    isJson(body) ||
    isHarmless(body, path) ||
    isUsualAnswer(content, controls.control);
  return mayBeUnusual.has(kind) && !isKnown
    ? 'A path answers with neither a page nor a file of a form that the scan knows.'
    : null;
}

const emptyReason = 'A path has an empty answer.';

/** None of these files is JSON, except for some whose secrets are known by their names. */
function isJson(body: string): boolean {
  try {
    return typeof JSON.parse(body) === 'object';
  } catch {
    return false;
  }
}

/** Whether paths that do not exist have the same answer, apart from the path, numbers and ids in it. */
function isUsualAnswer(content: HttpResponse, control: Assessment<HttpResponse>): boolean {
  if (!control.assessed || control.value.status >= 300) return false;
  const textOf = ({ url, body }: HttpResponse) =>
    body.replaceAll(new URL(url).pathname.slice(1), '').replace(/[0-9a-f]{8,}|[0-9]/gi, '');
  return mediaType(content) === mediaType(control.value) && textOf(content) === textOf(control.value);
}

/** A page says in its head what it is: one that was read so far, and is no hit, is a page however long it is. */
function isPage(body: string): boolean {
  return /^\s{0,200}<(?:!doctype html|html)\b/i.test(body.slice(0, 300)) && /<body\b/i.test(body);
}

function locatorOf(origin: string, kind: ExposureKind, path: string): string {
  if (kind === 'source_map') return sourceMapsOf(origin);
  // A repository is one flaw, through however many of its files it shows.
  if (kind === 'version_control') return `${origin}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  return `${origin}${path}`;
}

/** `/.well-known/security.txt` is the place, `/security.txt` the older one (RFC 9116, 3). */
function detectSecurityTxt(found: DetectionBuilder, exposure: ExposureEvidence, asked: Asked): void {
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
  const reason = answers.length === 0 ? 'security.txt was not requested.' : reasons.find(one => one !== null);
  if (reason) {
    found.cannotAssess([checks.securityTxt], reason);
    return;
  }
  found.observe(
    checks.securityTxt,
    origin,
    'Neither /.well-known/security.txt nor /security.txt has a contact.',
  );
}
