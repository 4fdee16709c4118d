import { isGone } from '../../../captures/statuses.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { type Markup, readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import { directivesOf, separatePolicies } from '../policy-directives.ts';
import {
  headerValues,
  httpOrigin,
  isErrorPage,
  originOf,
  redirectTarget,
  requireDocument,
  withoutQuery,
} from '../response.ts';
import { scriptPlace } from '../script-place.ts';
import { leadsTo, requireHttpVisit, undecided } from '../visits.ts';
import { transportChecks as checks } from './checks.ts';
import { detectHsts } from './hsts.ts';
import { detectPlainLogins } from './plain-logins.ts';

/** Whether all traffic between visitor and site is encrypted. */
export const transportDetector: Detector<WebsiteCapture> = {
  name: 'website.transport',
  surface: 'website',
  reads: ['exposure'],
  checks: Object.values(checks),
  perSubject: pageSubject([checks.mixedContent, checks.insecureForm, checks.passwordOverHttp]),
  detect: detecting((found, capture) => {
    detectHttps(found, capture);
    detectRedirect(found, capture);
    detectHsts(found, capture);
    detectPage(found, capture);
    detectPlainLogins(found, capture);
  }),
};

function detectHttps(found: DetectionBuilder, { https, http, site }: WebsiteCapture) {
  if (!https.assessed) return found.cannotAssess([checks.noHttps], https.reason);
  const plain = http.assessed ? http.value.responses.at(-1) : undefined;
  if (!https.value.served) {
    if (!http.assessed) found.cannotAssess([checks.noHttps], http.reason);
    if (plain === undefined) return;
    const seen =
      site.https_port === null || site.https_port === site.http_port
        ? 'The source’s port serves plain HTTP and does not support TLS.'
        : `The site responds on port ${site.http_port}, but port ${site.https_port} does not support TLS.`;
    found.observe(checks.noHttps, site.hostname, seen);
  } else if (leadsTo(https.value)?.startsWith('http:')) {
    found.observe(checks.noHttps, site.hostname, 'HTTPS only redirects visitors back to plain HTTP.');
  } else {
    const status = https.value.responses.at(-1)?.status;
    // A login prompt over HTTPS means that the page has HTTPS too.
    const reason = status === 401 ? null : undecided(https);
    if (reason !== null) found.cannotAssess([checks.noHttps], reason);
    const isOnHttpOnly = isGone(status) && plain?.url.startsWith('http:') && plain.status < 300;
    if (isOnHttpOnly)
      found.cannotAssess([checks.noHttps], `HTTPS responds with status ${status}, plain HTTP with a page.`);
  }
}

function detectRedirect(found: DetectionBuilder, { https, http, site }: WebsiteCapture) {
  const both = [checks.noRedirect, checks.insecureFirstHop];
  if (!http.assessed || !http.value.served) {
    requireHttpVisit(found, both, { http });
    return;
  }
  if (!https.assessed) return found.cannotAssess(both, https.reason);
  if (!https.value.served) return found.doesNotApply(both, 'The site has no HTTPS to redirect to.');
  const { responses } = http.value;
  const first = responses[0];
  const last = responses.at(-1);
  if (first === undefined || last === undefined) return;
  const origin = httpOrigin(site);
  const end = leadsTo(http.value);
  if (end?.startsWith('https:')) {
    const hop = redirectTarget(first);
    if (hop?.startsWith('http:')) {
      found.observe(
        checks.insecureFirstHop,
        origin,
        `The first redirect goes to ${quoted(withoutQuery(hop))}.`,
      );
    }
    return;
  }
  if (['unreachable', 'refused', 'address_too_long'].includes(http.value.stopped ?? ''))
    return found.cannotAssess(both, 'A redirect from plain HTTP could not be followed.');
  // Only a page, or a redirect that stays on plain HTTP, exposes anything. A refusal may apply to the scan alone.
  if (isErrorPage(last)) {
    requireHttpVisit(found, both, { http });
  } else {
    found.observe(
      checks.noRedirect,
      origin,
      `Plain HTTP responds with status ${last.status} and does not redirect to HTTPS.`,
    );
  }
}

function detectPage(found: DetectionBuilder, { page }: WebsiteCapture) {
  const both = [checks.mixedContent, checks.insecureForm];
  if (!page.assessed) return found.cannotAssess(both, page.reason);
  if (!requireDocument(found, both, page.value) || !page.value.url.startsWith('https:')) return;
  const markup = readMarkup(page.value);
  if (markup.gap !== null) found.cannotAssess(both, markup.gap);
  if (upgradesRequests(page.value, markup)) return;
  const origin = originOf(page.value.url);
  for (const { element, url, active } of markup.resources.filter(isPlain)) {
    const place = withoutQuery(url);
    // Browsers upgrade or show images and media; scripts and frames can change the page.
    found.observe(
      checks.mixedContent,
      `${origin} ${element} ${scriptPlace(url)}`,
      `A <${element}> element loads ${quoted(place)}.`,
      ...(active ? [] : (['low'] as const)),
    );
  }
  for (const action of markup.formActions.filter(url => isPlain({ url }))) {
    const place = withoutQuery(action);
    found.observe(
      checks.insecureForm,
      `${origin} form ${scriptPlace(action)}`,
      `A form submits to ${quoted(place)}.`,
    );
  }
}

/** Whether content is loaded over plain HTTP from another machine: browsers trust their own (Secure Contexts, 3.1). */
const isPlain = ({ url }: { url: string }) =>
  url.startsWith('http:') && !ownMachine.test(new URL(url).hostname);
const ownMachine = /^(?:(?:[\w-]{1,63}\.){0,9}localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function upgradesRequests(page: HttpResponse, markup: Markup): boolean {
  const policies = separatePolicies([...headerValues(page, 'content-security-policy'), ...markup.policies]);
  return policies.some(policy => directivesOf(policy).has('upgrade-insecure-requests'));
}
