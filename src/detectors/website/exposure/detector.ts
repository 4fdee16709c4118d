import type { ExposureKind } from '../../../evidence/exposure-paths.ts';
import { sourceMapsOf } from '../../../evidence/places.ts';
import type { ExposureEvidence, HttpResponse, WebsiteEvidence } from '../../../evidence/website.ts';
import { DetectionBuilder } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { exposureChecks as checks } from './checks.ts';
import { type FileKind, signatures } from './signatures.ts';
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
  detect({ exposure }) {
    const found = new DetectionBuilder();
    if (!exposure.assessed) {
      found.cannotAssess(Object.values(checks), exposure.reason);
      return found.result();
    }
    for (const kind of Object.keys(checkOf) as FileKind[]) detectFiles(found, exposure.value, kind);
    detectSecurityTxt(found, exposure.value);
    return found.result();
  },
};

function detectFiles(
  found: DetectionBuilder,
  { origin, control, probes, left_out }: ExposureEvidence,
  kind: FileKind,
): void {
  const check = checkOf[kind];
  const looked = new Set<string>();
  const missed = new Set<string>();
  for (const { path, response } of probes.filter(probe => probe.kind === kind)) {
    const plainPath = path.split('?', 1)[0] ?? path;
    const place = locatorOf(origin, kind, plainPath);
    const sentence = response.assessed ? match(response.value, kind, path) : null;
    // Without a control nobody knows whether this site says yes to everything.
    const missing = !response.assessed ? response : sentence !== null && !control.assessed ? control : null;
    if (missing !== null) {
      found.cannotAssess([check], missing.reason);
      missed.add(place);
      continue;
    }
    looked.add(place);
    if (sentence === null || !response.assessed || !control.assessed) continue;
    if (match(control.value, kind, path) !== null) continue;
    const seen = `${plainPath} answers with status ${response.value.status}. ${sentence}`;
    found.observe(check, place, seen, lighterSeverity(kind, response.value.body));
  }
  if (left_out.includes(kind)) missed.add(locatorOf(origin, kind, ''));
  for (const place of missed) looked.delete(place);
  found.looksOnlyAt(check, origin, looked);
}

function locatorOf(origin: string, kind: ExposureKind, path: string): string {
  if (kind === 'source_map') return sourceMapsOf(origin);
  // A repository is one flaw, through however many of its files it shows.
  if (kind === 'version_control') return `${origin}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  return `${origin}${path}`;
}

function match(response: HttpResponse, kind: FileKind, path: string): string | null {
  if (response.status !== 200 && response.status !== 206) return null;
  return signatures[kind](response.body, path);
}

/** `/.well-known/security.txt` is the place, `/security.txt` the older one (RFC 9116, 3). */
function detectSecurityTxt(found: DetectionBuilder, { origin, probes: all }: ExposureEvidence): void {
  const probes = all.filter(({ kind }) => kind === 'security_txt');
  const isThere = probes.some(
    ({ response }) =>
      response.assessed && response.value.status === 200 && /^contact:\s{0,20}\S/im.test(response.value.body),
  );
  if (isThere) return;
  // A redirect may well lead to one: RFC 9116 permits it, and redirects are not followed here.
  const unknown = probes.find(
    ({ response }) => !response.assessed || (response.value.status >= 300 && response.value.status < 400),
  );
  if (probes.length === 0 || unknown !== undefined) {
    const reason =
      unknown?.response.assessed === false ? unknown.response.reason : 'security.txt is a redirect.';
    found.cannotAssess([checks.securityTxt], reason);
    return;
  }
  found.observe(
    checks.securityTxt,
    origin,
    'Neither /.well-known/security.txt nor /security.txt has a contact.',
  );
}
