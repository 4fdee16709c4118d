import { Csp, Directive, isDirective } from 'csp_evaluator/dist/csp.js';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { parseUrl } from '../../../captures/page-addresses.ts';
import { allowsEverybody } from '../frame-ancestors.ts';

/** Weaknesses of one policy. Places are directive names, or a directive and a source. */
export interface PolicyWeaknesses {
  readonly unsafeInline: readonly string[];
  readonly unsafeEval: readonly string[];
  readonly broadSource: readonly string[];
  readonly bypassHost: readonly string[];
  readonly missingDirectives: readonly string[];
  readonly invalid: readonly string[];
  /** It does not restrict scripts, so it does not compensate for another policy's script weakness. */
  readonly leavesScriptsOpen: boolean;
  /** It has a directive against injected markup, not only for framing, upgrades or reports. */
  readonly protectsContent: boolean;
}

const besideContent = new Set([
  ...['upgrade-insecure-requests', 'block-all-mixed-content', 'frame-ancestors', 'report-uri', 'report-to'],
]);

/** Directives that the evaluator does not know yet. */
const newerDirectives = new Set(['fenced-frame-src']);

/** Judges one policy. @param delivery in a meta element some directives have no effect */
export function judgePolicy(given: string, delivery: 'header' | 'meta'): PolicyWeaknesses {
  // The evaluator treats these as spaces, browsers as part of an unknown name.
  const text = given.replace(/[^\t\n\f\r -~]/g, '?');
  const parsed = new CspParser(text).csp;
  const { csp, dropped } = readable(delivery === 'meta' ? withoutHeaderOnly(parsed) : parsed);
  const findings = new CspEvaluator(csp).evaluate();
  const places = (...types: Type[]) =>
    unique(
      findings
        .filter(finding => types.includes(finding.type))
        .map(({ directive, value }) => (value === undefined ? directive : `${directive} ${value}`)),
    );
  const bypasses = findings.filter(
    // Lower severities mean "check manually" ('self', unknown hosts), not a known bypass.
    ({ type, severity }) => type === Type.SCRIPT_ALLOWLIST_BYPASS && severity === Severity.HIGH,
  );
  const broad = findings.filter(
    ({ type, directive }) =>
      [Type.PLAIN_WILDCARD, Type.PLAIN_URL_SCHEMES, Type.SRC_HTTP].includes(type) &&
      decidesOnScripts(csp, directive),
  );
  return {
    unsafeInline: places(Type.SCRIPT_UNSAFE_INLINE),
    unsafeEval: places(Type.SCRIPT_UNSAFE_EVAL),
    broadSource: unique(broad.map(({ directive, value }) => `${directive} ${value}`)),
    bypassHost: unique([
      ...bypasses.map(({ directive, value }) => `${directive} ${value}`),
      ...opensToAnybody(csp),
    ]),
    missingDirectives: missingDirectives(csp),
    invalid: unique([
      ...places(Type.MISSING_SEMICOLON, Type.UNKNOWN_DIRECTIVE, Type.INVALID_KEYWORD).filter(
        place => !newerDirectives.has(place) && !place.endsWith(" 'trusted-types-eval'"),
      ),
      ...repeatedDirectives(text),
      ...dropped,
    ]),
    leavesScriptsOpen: !('script-src' in csp.directives || 'default-src' in csp.directives),
    protectsContent: Object.keys(csp.directives).some(
      name => (isDirective(name) || newerDirectives.has(name)) && !besideContent.has(name),
    ),
  };
}

/** Whether a directive allows content that can run, unlike images or style sheets. */
function decidesOnScripts({ directives }: Csp, name: string): boolean {
  if (name === 'default-src') return !('script-src' in directives);
  return /^script-src(?:-elem|-attr)?$|^object-src$|^base-uri$/.test(name);
}

/** Hosts that serve any published package, and services that give anyone a subdomain. */
const anybodysHost =
  /^(?:unpkg\.com|esm\.sh|esm\.run|cdn\.skypack\.dev|ga\.jspm\.io|cdn\.statically\.io|raw(?:cdn)?\.githack\.com|\*\.(?:vercel\.app|netlify\.app|pages\.dev|workers\.dev|github\.io|gitlab\.io|web\.app|firebaseapp\.com|appspot\.com|herokuapp\.com|onrender\.com|fly\.dev|surge\.sh|amazonaws\.com|cloudfront\.net|azurewebsites\.net|azureedge\.net|windows\.net))$/;

/** Script sources that anyone can publish to. Browsers ignore hosts with 'strict-dynamic'; a path limits a host to one file or folder. */
function opensToAnybody({ directives }: Csp): string[] {
  const name = 'script-src' in directives ? 'script-src' : 'default-src';
  const sources = directives[name] ?? [];
  if (sources.includes("'strict-dynamic'")) return [];
  const hostOf = (source: string) =>
    /^(?:https?:\/\/)?([^/:\s]{1,253})(?::[\d*]{1,5})?\/?$/i.exec(source)?.[1]?.toLowerCase() ?? '';
  return sources.filter(source => anybodysHost.test(hostOf(source))).map(source => `${name} ${source}`);
}

/** The evaluator throws on sources that are not URLs; browsers ignore them. */
function readable(parsed: Csp): { csp: Csp; dropped: string[] } {
  const csp = new Csp(parsed.directives);
  const dropped: string[] = [];
  for (const [directive, sources] of Object.entries(parsed.directives)) {
    csp.directives[directive] = sources?.filter(isUrlLike);
    for (const source of sources ?? []) if (!isUrlLike(source)) dropped.push(`${directive} ${source}`);
  }
  return { csp, dropped };
}

function isUrlLike(source: string): boolean {
  const host = source.replace(/^\w[+\w.-]*:\/\//, '').replace(/^\/\//, '');
  return parseUrl(`https://${host.replace(':*', '').replace('*', 'wildcard')}`) !== null;
}

function withoutHeaderOnly(csp: Csp): Csp {
  const kept = new Csp(csp.directives);
  for (const directive of [Directive.FRAME_ANCESTORS, Directive.REPORT_URI, Directive.SANDBOX]) {
    delete kept.directives[directive];
  }
  return kept;
}

function missingDirectives(csp: Csp): string[] {
  const has = (name: string) => name in csp.directives;
  const isOpen = (name: string) => csp.directives[name as Directive]?.some(allowsEverybody) === true;
  const missing = ['base-uri', 'form-action', 'frame-ancestors'].filter(name => !has(name));
  // An open list protects as little as none.
  if (isOpen('form-action')) missing.push('form-action');
  if (!has('script-src') && !has('default-src')) missing.push('script-src');
  if (!has('object-src') && !has('default-src')) missing.push('object-src');
  return missing;
}

/** Only the first directive of a name counts; the evaluator's parser silently drops the others. */
function repeatedDirectives(text: string): string[] {
  const names = text
    .split(';')
    .map(directive => directive.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '')
    .filter(name => name !== '');
  const seen = new Set<string>();
  const repeated = names.filter(name => seen.size === seen.add(name).size);
  return unique(repeated).map(name => `${name} repeated`);
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
