import type { ExposureKind } from '../../../evidence/exposure-paths.ts';
import type { Assessment, ExposureProbe, HttpResponse, WebsiteEvidence } from '../../../evidence/website.ts';
import { DetectionBuilder } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { exposureChecks as checks } from './checks.ts';
import { type FileKind, signatures } from './signatures.ts';

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
  checks: Object.values(checks),
  detect({ exposure }) {
    const found = new DetectionBuilder();
    if (!exposure.assessed) {
      found.cannotAssess(Object.values(checks), exposure.reason);
      return found.result();
    }
    const { origin, control, probes } = exposure.value;
    for (const probe of probes) {
      detectProbe(found, origin, probe, control);
    }
    const contacts = probes.filter(({ kind }) => kind === 'security_txt');
    detectSecurityTxt(found, origin, contacts);
    return found.result();
  },
};

function detectProbe(
  found: DetectionBuilder,
  origin: string,
  { path, kind, response }: ExposureProbe,
  control: Assessment<HttpResponse>,
): void {
  if (kind === 'security_txt' || kind === 'directory') return;
  const check = checkOf[kind];
  if (!response.assessed) {
    found.cannotAssess([check], response.reason);
    return;
  }
  const sentence = match(response.value, kind, path);
  if (sentence === null) return;
  // Without a control nobody knows whether this site says yes to everything.
  if (!control.assessed) {
    found.cannotAssess([check], control.reason);
    return;
  }
  if (match(control.value, kind, path) !== null) return;
  const plainPath = path.split('?', 1)[0] ?? path;
  found.observe(
    check,
    locatorOf(origin, kind, plainPath),
    `${plainPath} answers with status ${response.value.status}. ${sentence}`,
  );
}

function locatorOf(origin: string, kind: ExposureKind, path: string): string {
  // Scripts carry build hashes in their names: one place for all maps keeps the finding the same.
  if (kind === 'source_map') return `${origin} source map`;
  // A repository is one flaw, through however many of its files it shows.
  if (kind === 'version_control') return `${origin}/${path.split('/')[1]}/`;
  return `${origin}${path}`;
}

function match(response: HttpResponse, kind: FileKind, path: string): string | null {
  if (response.status !== 200 && response.status !== 206) return null;
  return signatures[kind](response.body, path);
}

/** `/.well-known/security.txt` is the place, `/security.txt` the older one (RFC 9116, 3). */
function detectSecurityTxt(found: DetectionBuilder, origin: string, probes: readonly ExposureProbe[]): void {
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
