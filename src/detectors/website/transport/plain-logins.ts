import { isGone } from '../../../captures/statuses.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { readMarkup } from '../markup.ts';
import { isLedToItself } from '../page-subject.ts';
import {
  headerValues,
  isDocument,
  isErrorPage,
  redirectTarget,
  requireDocument,
  withoutQuery,
} from '../response.ts';
import { isMarkup } from '../shown-as-html.ts';
import { standInReason } from '../stand-in.ts';
import { leadsTo, requireHttpVisit } from '../visits.ts';
import { transportChecks as checks } from './checks.ts';

const both = [checks.passwordOverHttp, checks.basicAuthOverHttp];

/** Login pages and requests for Basic authentication over plain HTTP: on the way to the page, on it, and at every requested path. */
export function detectPlainLogins(found: DetectionBuilder, capture: WebsiteCapture): void {
  const { http, page } = capture;
  const requestsLogin = http.assessed && http.value.responses.at(-1)?.status === 401;
  requireHttpVisit(found, requestsLogin ? [checks.passwordOverHttp] : both, { http });
  // Plain HTTP may not have led to a readable page; a login form found on the way still counts.
  if (!page.assessed) found.cannotAssess([checks.passwordOverHttp], page.reason);
  else requireDocument(found, [checks.passwordOverHttp], page.value);
  const visits = [...(http.assessed ? http.value.responses : []), ...(page.assessed ? [page.value] : [])];
  for (const response of visits.filter(isPlain)) {
    const isEnd = redirectTarget(response) === null;
    const unread = response.body_unread ?? (isMarkup(response) ? readMarkup(response).gap : null);
    if (isEnd && unread !== null) found.cannotAssess([checks.passwordOverHttp], unread);
    detectLogin(found, response);
  }
  const further = furtherResponses(capture).filter(isPlain);
  for (const response of further.filter(response => !isForEveryPath(capture, response)))
    detectLogin(found, response);
  const servesPlain = http.assessed && http.value.served && !leadsTo(http.value)?.startsWith('https:');
  // Another scan may request more paths.
  if (!servesPlain || further.length === 0) return;
  const decided = [...(decidesOnPage(capture) ? visits : []), ...further.filter(decides)];
  found.assessesOnly(
    both,
    decided.map(({ url }) => withoutQuery(url)),
  );
}

/** Whether the page is what other visitors get. */
const decidesOnPage = ({ https, http, page }: WebsiteCapture) =>
  page.assessed &&
  decides(page.value) &&
  page.value.status < 300 &&
  !isLedToItself({ https, http }, page.value.url);

/** Whether a response shows that its URL has no login: it is a complete page, or there is none. */
function decides(response: HttpResponse): boolean {
  if (isGone(response.status)) return standInReason(response) === null;
  const isComplete = !response.body_truncated && response.body_unread === null;
  return isComplete && isDocument(response) && !isErrorPage(response) && readMarkup(response).gap === null;
}

const isPlain = ({ url }: HttpResponse) => url.startsWith('http:');

/** Responses at paths that the scan requested by itself. */
function furtherResponses({ exposure }: WebsiteCapture): HttpResponse[] {
  if (!exposure.assessed) return [];
  return [exposure.value, ...exposure.value.elsewhere].flatMap(({ probes }) =>
    probes.flatMap(({ response }) => (response.assessed ? [response.value] : [])),
  );
}

/** Whether the site responds with the same kind of login to a path that does not exist. */
function isForEveryPath({ exposure }: WebsiteCapture, { url, status }: HttpResponse): boolean {
  const origins = exposure.assessed ? [exposure.value, ...exposure.value.elsewhere] : [];
  const control = origins.find(({ origin }) => url.startsWith(`${origin}/`))?.control;
  if (!control?.assessed) return true;
  return control.value.status === status && (requestsBasic(control.value) || hasPasswordField(control.value));
}

function detectLogin(found: DetectionBuilder, response: HttpResponse): void {
  const place = withoutQuery(response.url);
  // Login forms are often served with status 401 or 403.
  if (hasPasswordField(response)) {
    const seen = 'A page with a password field is served over plain HTTP.';
    found.observe(checks.passwordOverHttp, place, seen);
  }
  if (requestsBasic(response)) {
    const seen = 'The response over plain HTTP requests Basic authentication.';
    found.observe(checks.basicAuthOverHttp, place, seen);
  }
}

/** Pages without the word are not parsed: an application may return its page for all requested paths. */
const hasPasswordField = (response: HttpResponse) =>
  /password|&#/i.test(response.body) && isMarkup(response) && readMarkup(response).hasPasswordField;

/** One header may have several challenges (RFC 9110, 11.6.1). */
const requestsBasic = (response: HttpResponse) =>
  response.status === 401 &&
  headerValues(response, 'www-authenticate').some(value => /(?:^|,)\s{0,20}basic(?:\s|,|$)/i.test(value));
