import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { directivesOf, separatePolicies } from '../policy-directives.ts';
import { headerValue, headerValues, isDocument } from '../response.ts';
import { cspChecks as checks } from './checks.ts';

/** A nonce of the page's policy that another response has too: an attacker who has seen one response knows it. */
export function detectReusedNonces(found: DetectionBuilder, origin: string, capture: WebsiteCapture) {
  const { page, cors } = capture;
  if (!page.assessed) return;
  const nonces = noncesOf(page.value);
  if (nonces.size === 0) return;
  const others = furtherResponses(capture, page.value);
  if (others.length === 0) {
    const reason = cors.assessed
      ? 'The page was answered only once, so that nonces could not be compared.'
      : cors.reason;
    return found.cannotAssess([checks.nonceReused], reason);
  }
  const same = others.find(response => [...noncesOf(response)].some(nonce => nonces.has(nonce)));
  if (same === undefined) return;
  const isCached =
    Number(headerValue(same, 'age') ?? 0) > 0 || Number(headerValue(page.value, 'age') ?? 0) > 0;
  // A cache sends one response to all visitors until it expires.
  const seen = isCached
    ? 'A cache sends the page with the same nonce again.'
    : 'Two responses have the same nonce.';
  found.observe(checks.nonceReused, origin, seen, ...(isCached ? (['low'] as const) : []));
}

/** The nonces of script directives in the header, where servers send them. */
function noncesOf(response: HttpResponse): ReadonlySet<string> {
  const policies = separatePolicies(headerValues(response, 'content-security-policy'));
  const sources = policies.flatMap(policy => {
    const directives = directivesOf(policy);
    return directives.get('script-src') ?? directives.get('default-src') ?? [];
  });
  return new Set(sources.filter(source => /^'nonce-[\w+/=-]{1,500}'$/i.test(source)));
}

/** Further responses to requests for the page, which is the last one over HTTPS if there is HTTPS. */
function furtherResponses({ https, http, cors }: WebsiteCapture, page: HttpResponse): HttpResponse[] {
  const isOfHttps = https.assessed && https.value.served;
  const probes = cors.assessed ? cors.value : [];
  return [
    ...(isOfHttps && http.assessed ? http.value.responses.slice(-1) : []),
    ...probes.flatMap(({ target, response }) =>
      target === 'page' && response.assessed ? [response.value] : [],
    ),
  ].filter(response => response.url === page.url && isDocument(response));
}
