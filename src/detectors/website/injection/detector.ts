import { foreignHost, product } from '../../../captures/injection-tests.ts';
import { parseUrl } from '../../../captures/page-addresses.ts';
import { isInQuery, parameterOf } from '../../../captures/places.ts';
import type { HttpResponse, InjectionProbe, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { outlineOf } from '../outline.ts';
import { headerValue, redirectTarget, withoutQuery } from '../response.ts';
import { standInReason } from '../stand-in.ts';
import { injectionChecks as checks } from './checks.ts';
import { databaseErrorIn } from './database-errors.ts';

/** Query parameters whose text a program executes, opens or follows instead of treating it as data. */
export const injectionDetector: Detector<WebsiteCapture> = {
  name: 'website.injection',
  surface: 'website',
  depth: 'full',
  reads: ['injections'],
  checks: Object.values(checks),
  detect: detecting((found, { injections }) => {
    const all = Object.values(checks);
    if (!injections.assessed) return found.cannotAssess(all, injections.reason);
    const { probes, left_out } = injections.value;
    if (left_out !== null) found.cannotAssess(all, left_out);
    const places = new Map<Check, Set<string>>(all.map(check => [check, new Set()]));
    const undecided = new Map<Check, Set<string>>(all.map(check => [check, new Set()]));
    for (const probe of probes) {
      const check = checkOf[probe.kind];
      const place = parameterOf(withoutQuery(probe.url), probe.parameter);
      const reason = detectProbe(found, probe, probes, place);
      if (reason === null) {
        places.get(check)!.add(place);
      } else {
        found.cannotAssess([check], reason);
        undecided.get(check)!.add(place);
      }
    }
    // Links change daily: a parameter that this scan did not test may still have the problem.
    for (const check of all)
      found.assessesOnly(
        check,
        [...places.get(check)!].filter(place => !undecided.get(check)!.has(place)),
      );
  }),
};

const checkOf: Record<InjectionProbe['kind'], Check> = {
  sql: checks.sql,
  sql_doubled: checks.sql,
  template: checks.template,
  redirect: checks.openRedirect,
  file: checks.fileInclusion,
};

/** Observes what the response shows. @returns why it decides nothing; null if it decides */
function detectProbe(
  found: DetectionBuilder,
  probe: InjectionProbe,
  all: readonly InjectionProbe[],
  place: string,
): string | null {
  const { kind, parameter, usual, response, sent } = probe;
  if (!response.assessed) return response.reason;
  if (!usual.assessed) return usual.reason;
  const { status, body_unread } = response.value;
  const proof = proofIn(probe, usual.value, response.value, all);
  if (proof !== null) {
    const what = isInQuery(parameter)
      ? `The parameter ${quoted(parameter, 40)}`
      : `The value ${quoted(parameter, 60)}`;
    const asked = `${what} with ${quoted(sent, 60)}`;
    found.observe(checkOf[kind], place, `${asked} ${proof}`);
    return null;
  }
  const standIn = standInReason(response.value) ?? body_unread;
  if (standIn !== null) return standIn;
  // Firewalls reject such text for everyone or for the scan only.
  return [403, 406, 429, 501, 503].includes(status)
    ? `A request with test text in a parameter gets status ${status}.`
    : null;
}

/** What proves the problem, after "The parameter x with y"; null without a proof. */
function proofIn(
  { kind, word, url, parameter }: InjectionProbe,
  usual: HttpResponse,
  response: HttpResponse,
  all: readonly InjectionProbe[],
): string | null {
  const { body } = response;
  switch (kind) {
    case 'sql': {
      const error = databaseErrorIn(body);
      if (error === null || databaseErrorIn(usual.body) !== null) return null;
      // If the same text with doubled quotes is accepted, the quotes reached the statement.
      const doubled = all.find(
        one => one.kind === 'sql_doubled' && one.url === url && one.parameter === parameter,
      )?.response;
      const accepts = doubled?.assessed && databaseErrorIn(doubled.value.body) === null;
      const also = accepts ? ', and with doubled quotes none' : '';
      return `gets an error of ${error.product}${also}: ${quoted(error.line, 160)}.`;
    }
    case 'sql_doubled':
      return null;
    case 'template':
      return body.includes(product) && !usual.body.includes(product)
        ? `is calculated: ${quoted(lineAround(body, product), 120)}.`
        : null;
    case 'redirect':
      return leadsTo(response, foreignHost(word)) ? 'redirects to that site.' : null;
    case 'file': {
      // A password hash may follow the name.
      const [account] = /^root:[^:\n]{0,200}:0:0:/m.exec(body) ?? [];
      const [section] = /\[fonts\]\s{1,10}\[extensions\]/i.exec(body) ?? [];
      const line = account ?? section;
      if (line === undefined || usual.body.includes(line)) return null;
      return `returns a file of the server: ${account === undefined ? quoted(line) : '"root:…:0:0"'}.`;
    }
  }
}

function lineAround(body: string, text: string): string {
  const at = body.indexOf(text);
  return body
    .slice(Math.max(body.lastIndexOf('\n', at) + 1, at - 40), at + text.length + 40)
    .split('\n', 1)[0]!;
}

/** Whether browsers go to a host: by a redirect, or by a refresh in a header or the page. */
function leadsTo(response: HttpResponse, host: string): boolean {
  const target = redirectTarget(response);
  if (target !== null) return new URL(target).hostname === host;
  const refreshes = [headerValue(response, 'refresh'), ...outlineOf(response).refreshes];
  return refreshes.some(refresh => {
    const [, address = ''] =
      /^\s{0,20}[\d.]{0,10}\s{0,20}[;,]?\s{0,20}(?:url\s{0,9}=\s{0,9})?["']?([^"'\s]{1,300})/i.exec(
        refresh ?? '',
      ) ?? [];
    return parseUrl(address, response.url)?.hostname === host;
  });
}
