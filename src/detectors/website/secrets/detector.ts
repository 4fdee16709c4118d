import { secretAt, secretOf } from '../../../captures/places.ts';
import type { HttpResponse, RevisitedText, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { isBuiltText } from '../documentation.ts';
import { errorPageOf } from '../page/error-pages.ts';
import { addressWithNames, isLedToItself } from '../page-subject.ts';
import { errorPageReason, isErrorPage, originOf, unreadReason, withoutQuery } from '../response.ts';
import { scriptPlace } from '../script-place.ts';
import { isMarkup } from '../shown-as-html.ts';
import { standInReason, unbuiltReason } from '../stand-in.ts';
import { secretsChecks as checks } from './checks.ts';
import { withoutCodeSamples } from './code-samples.ts';
import { checkOfKind, type FoundSecret, findSecrets } from './find-secrets.ts';

/**
 * Keys, tokens and passwords in the page and its scripts. A finding contains the kind and the place, but no
 * part of the secret. Each kind is one finding per place, regardless of the number of secrets.
 *
 * Session tokens are not searched for, because pages contain tokens of guests by design.
 */
export const secretsDetector: Detector<WebsiteCapture> = {
  name: 'website.secrets',
  surface: 'website',
  reads: ['scripts', 'texts', 'revisited'],
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { page, https, http, scripts, texts, revisited, collected_at } = capture;
    const all = Object.values(checks);
    const places = { read: new Set<string>(), unread: new Set<string>() };
    const gaps: string[] = [];
    const leaveOut = (place: string, gap: string) => {
      places.unread.add(place);
      gaps.push(gap);
    };
    const search = (text: string, place: string, where: string, page: HttpResponse | null = null) => {
      const { rules, unread } = findSecrets(text, { collectedAt: collected_at });
      const ofSamples = page === null ? null : kindsOfSamples(page, rules, collected_at);
      for (const { kind, name, check, severity } of rules) {
        const isSample = ofSamples?.has(kind) ?? false;
        if (isSample && check === checks.likelySecret) continue;
        const [what, weight] = isSample
          ? [`shows ${name} in a code sample among explanations, as documentation does`, 'info' as const]
          : [`contains ${name}`, severity];
        found.observe(check, secretOf(kind, place), `${where} ${what}.`, weight);
      }
      const left = unread.map(({ check }) => check);
      found.cannotAssess(left, `${where} has too much text that resembles a secret to compare all of it.`);
      places[left.length === 0 ? 'read' : 'unread'].add(place);
    };

    if (!page.assessed) found.cannotAssess(all, page.reason);
    if (!scripts.assessed) found.cannotAssess(all, scripts.reason);

    let readsAll = true;
    if (page.assessed) {
      const { url, body, body_truncated } = page.value;
      const isSentBack = isLedToItself({ https, http }, url);
      const place = isSentBack ? addressWithNames(url) : withoutQuery(url);
      search(body, place, `The page ${quoted(new URL(place).pathname)}`, page.value);
      if (body_truncated) leaveOut(place, unreadReason('page'));
      if (isErrorPage(page.value)) {
        places.unread.add(place);
        found.cannotAssess(all, errorPageReason(page.value));
      }
      // A response without markup loads no scripts, but those of an earlier page may still be served.
      readsAll = isMarkup(page.value) && !isSentBack;
    }

    for (const { url, name, text } of texts.assessed ? texts.value : []) {
      const { pathname } = new URL(url);
      const where =
        name === null
          ? `The style sheet ${quoted(pathname, 200)}`
          : `${quoted(name, 150)} in the source map ${quoted(pathname, 150)}`;
      if (text.assessed) search(text.value, scriptPlace(url), where);
      else leaveOut(scriptPlace(url), text.reason);
    }

    for (const { url, response } of scripts.assessed ? scripts.value : []) {
      const place = scriptPlace(url);
      if (!response.assessed) {
        leaveOut(place, response.reason);
        continue;
      }
      const { status, body, body_truncated } = response.value;
      const isSameOrigin = page.assessed && originOf(page.value.url) === originOf(url);
      const shown = isSameOrigin ? new URL(withoutQuery(url)).pathname : withoutQuery(url);
      if (body_truncated) leaveOut(place, unreadReason('script'));
      // It may be hidden from the scan only, so it is requested again if it has an open finding.
      if (body === '' && status === 200) continue;
      search(body, place, `The script ${quoted(shown, 200)}`);
    }

    for (const { kind, url, response } of revisited.assessed ? revisited.value : []) {
      if (!checkOfKind.has(kind)) continue;
      const gap = gapOf(url, response);
      if (gap !== null) leaveOut(url, gap);
      else if (response.assessed) {
        places.unread.delete(url);
        search(response.value.body, url, quoted(new URL(url).pathname), response.value);
      }
    }

    const [gap] = gaps;
    if (gap !== undefined) found.cannotPass(all, gap);
    if (gap !== undefined || !readsAll) assessOnly(found, places, capture.open_secrets);
  }),
};

/**
 * The kinds of secrets that a page only shows in samples of code, and that documentation is known to show: private keys among
 * explanations, and in texts that a tool has built, values that are only named as secrets.
 */
function kindsOfSamples(
  page: HttpResponse,
  rules: readonly FoundSecret[],
  collectedAt: string,
): ReadonlySet<string> {
  const mayBeShown = rules.filter(
    ({ check }) => check === checks.privateKey || check === checks.likelySecret,
  );
  if (mayBeShown.length === 0 || !isMarkup(page)) return new Set();
  const { rest, explains } = withoutCodeSamples(page.body);
  const isManual = explains && page.status < 400 && errorPageOf(page) === null;
  const outside = new Set(findSecrets(rest, { collectedAt }).rules.map(({ kind }) => kind));
  const isShown = ({ check }: FoundSecret) =>
    check === checks.privateKey ? isManual : isBuiltText(page.body);
  return new Set(mayBeShown.filter(rule => isShown(rule) && !outside.has(rule.kind)).map(({ kind }) => kind));
}

/** Leaves open findings elsewhere as they are. Several scripts may have the same place if it contains a build's hash. */
function assessOnly(
  found: DetectionBuilder,
  { read, unread }: Readonly<Record<'read' | 'unread', ReadonlySet<string>>>,
  open: WebsiteCapture['open_secrets'],
): void {
  const decided = open
    .flatMap(locator => secretAt(locator) ?? [])
    .filter(({ url }) => read.has(url) && !unread.has(url) && !url.includes('*'));
  for (const check of Object.values(checks)) {
    const ofCheck = decided.filter(({ kind }) => checkOfKind.get(kind) === check);
    found.assessesOnly(
      check,
      ofCheck.map(({ kind, url }) => secretOf(kind, url)),
    );
  }
}

/** Why the response for the place of an open finding does not decide it; null where it does. */
function gapOf(url: string, response: RevisitedText['response']): string | null {
  if (!response.assessed) return response.reason;
  const { value } = response;
  const standIn = standInReason(value) ?? unbuiltReason(value);
  if (standIn !== null) return standIn;
  if (value.body_truncated) return unreadReason('page');
  const isScript = /\.[cm]?js$/.test(url);
  return isScript && value.status === 200 && isMarkup(value)
    ? 'The URL of a script with an open finding now returns a page.'
    : null;
}
