import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import type { Check } from '../../detector.ts';
import { errorPageReason, headerValues, isErrorPage } from '../response.ts';
import { transportChecks as checks } from './checks.ts';
import { preloadedAs } from './preload-list.ts';

const hstsChecks = [checks.hstsMissing, checks.hstsShort, checks.hstsMalformed];
const sixMonths = 180 * 86_400;

/** A parsed Strict-Transport-Security header (RFC 6797, 6.1). */
type Hsts =
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'set'; readonly maxAge: number; readonly includesSubdomains: boolean };

/**
 * The site's HSTS on every own host that its redirects over HTTPS lead to. Only the first response of a host counts, and only its first
 * header (RFC 6797, 8.1).
 */
export function detectHsts(found: DetectionBuilder, { https, site }: WebsiteCapture) {
  if (!https.assessed) return found.cannotAssess(hstsChecks, https.reason);
  if (!https.value.served) return found.doesNotApply(hstsChecks, 'The site has no HTTPS.');
  if (https.value.responses.length === 0)
    return found.cannotAssess(hstsChecks, 'The site sent no response over HTTPS.');
  // Browsers keep HSTS for names only (RFC 6797, 8.1.1).
  if (site.is_address) return;
  const seen = new Set<string>();
  const covering: string[] = [];
  for (const response of https.value.responses.filter(({ url }) => url.startsWith('https:'))) {
    const { hostname } = new URL(response.url);
    if (seen.has(hostname)) continue;
    seen.add(hostname);
    const isCovered = covering.some(parent => hostname.endsWith(`.${parent}`));
    const value = headerValues(response, 'strict-transport-security')[0];
    if (value === undefined && isCovered) continue;
    const hsts = value === undefined ? null : parseHsts(value);
    if (hsts?.kind === 'set' && hsts.includesSubdomains && hsts.maxAge > 0) covering.push(hostname);
    judge(found, response, value, hsts);
  }
}

function judge(
  found: DetectionBuilder,
  response: HttpResponse,
  value: string | undefined,
  hsts: Hsts | null,
) {
  const { origin, hostname } = new URL(response.url);
  const entry = preloadedAs(hostname);
  const observe = (check: Check, seen: string) => {
    if (entry === null) return found.observe(check, origin, seen);
    // A name is removed from the list if its header is missing; one that is covered by another stays covered.
    const severity = entry === hostname && check === checks.hstsMissing ? 'low' : 'info';
    const known = `Browsers use HTTPS anyway, because ${entry} is on their HSTS preload list.`;
    found.observe(check, origin, `${seen} ${known}`, severity);
  };
  if (value === undefined || hsts === null) {
    // Servers often add headers to successful responses only, and bot protection responds without them.
    if (isErrorPage(response)) {
      const reason = `A response has no HSTS header, but others may have one. ${errorPageReason(response)}`;
      return found.cannotAssess(hstsChecks, reason);
    }
    observe(checks.hstsMissing, 'The first HTTPS response has no Strict-Transport-Security header.');
  } else if (hsts.kind === 'malformed') {
    observe(checks.hstsMalformed, `The header value ${quoted(value)} is invalid: ${hsts.reason}.`);
  } else if (hsts.maxAge === 0) {
    observe(checks.hstsMissing, 'The header has max-age=0, which disables HSTS.');
  } else if (hsts.maxAge < sixMonths) {
    observe(checks.hstsShort, `The header has max-age=${hsts.maxAge} (seconds).`);
  }
}

/** Of the directives that browsers know, each may occur once, and only max-age has a value, in whole seconds. Others are ignored. */
export function parseHsts(value: string): Hsts {
  const seen = new Map<string, string | null>();
  for (const part of value.split(';')) {
    const directive = part.trim();
    if (directive === '') continue;
    const at = directive.indexOf('=');
    const name = (at < 0 ? directive : directive.slice(0, at)).trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return malformed('a directive has an invalid name');
    if (name !== 'max-age' && name !== 'includesubdomains') continue;
    if (seen.has(name)) return malformed(`the directive ${name} is repeated`);
    seen.set(name, at < 0 ? null : directive.slice(at + 1).trim());
  }
  const includesSubdomains = seen.has('includesubdomains');
  if (includesSubdomains && seen.get('includesubdomains') !== null)
    return malformed('includeSubDomains has a value');
  const maxAge = seen.get('max-age');
  if (maxAge === undefined) return malformed('max-age is missing');
  const digits = /^(?:"(\d+)"|(\d+))$/.exec(maxAge ?? '');
  return digits === null
    ? malformed('max-age is not a number of seconds')
    : { kind: 'set', maxAge: Number(digits[1] ?? digits[2]), includesSubdomains };
}

function malformed(reason: string): Hsts {
  return { kind: 'malformed', reason };
}
