import { secretOf } from '../../../captures/places.ts';
import type { RevisitedText, WebsiteCapture } from '../../../captures/website.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { addressWithNames, isLedToItself } from '../page-subject.ts';
import { errorPageReason, isErrorPage, originOf, unreadReason, withoutQuery } from '../response.ts';
import { scriptPlace } from '../script-place.ts';
import { isMarkup } from '../shown-as-html.ts';
import { standInReason, unbuiltReason } from '../stand-in.ts';
import { secretsChecks as checks } from './checks.ts';
import { withoutCodeSamples } from './code-samples.ts';
import { checkOfKind, findSecrets } from './find-secrets.ts';

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
  detect: detecting((found, { page, https, http, scripts, texts, revisited, collected_at }) => {
    const all = Object.values(checks);
    const search = (text: string, place: string, where: string, isPage = false) => {
      const { rules, unread } = findSecrets(text, { collectedAt: collected_at });
      const isUncertain = (check: Check) => check === checks.likelySecret;
      const outsideSamples =
        isPage && rules.some(({ check }) => isUncertain(check))
          ? findSecrets(withoutCodeSamples(text), { collectedAt: collected_at }).rules
          : rules;
      for (const { kind, name, check, severity } of rules) {
        if (isUncertain(check) && !outsideSamples.some(other => other.kind === kind)) continue;
        found.observe(check, secretOf(kind, place), `${where} contains ${name}.`, severity);
      }
      const left = unread.map(({ check }) => check);
      found.cannotAssess(left, `${where} has too much text that resembles a secret to compare all of it.`);
    };

    const assessesOnly = (places: readonly string[]) => {
      for (const check of all) {
        const kinds = [...checkOfKind].flatMap(([kind, of]) => (of === check ? [kind] : []));
        found.assessesOnly(
          check,
          places.flatMap(place => kinds.map(kind => secretOf(kind, place))),
        );
      }
    };

    if (page.assessed) {
      const { url, body, body_truncated } = page.value;
      const isSentBack = isLedToItself({ https, http }, url);
      const place = isSentBack ? addressWithNames(url) : withoutQuery(url);
      search(body, place, `The page ${quoted(new URL(place).pathname)}`, isMarkup(page.value));
      if (isErrorPage(page.value)) found.cannotAssess(all, errorPageReason(page.value));
      else if (!isMarkup(page.value)) {
        // This response loads no scripts, but those of an earlier page may still be served.
        assessesOnly([place]);
      } else if (isSentBack) {
        const others = [
          ...(scripts.assessed ? scripts.value : []).map(({ url }) => scriptPlace(url)),
          ...(revisited.assessed ? revisited.value : []).map(({ url }) => url),
        ];
        assessesOnly([place, ...others]);
      }
      if (body_truncated) found.cannotAssess(all, unreadReason('page'));
    } else {
      found.cannotAssess(all, page.reason);
    }

    for (const { kind, url, response } of revisited.assessed ? revisited.value : []) {
      const check = checkOfKind.get(kind);
      if (check === undefined) continue;
      const reason = gapOf(url, response);
      if (reason !== null) found.cannotAssess([check], reason);
      else if (response.assessed) search(response.value.body, url, `${quoted(new URL(url).pathname)}`);
    }

    for (const { url, name, text } of texts.assessed ? texts.value : []) {
      const { pathname } = new URL(url);
      if (!text.assessed) found.cannotAssess(all, text.reason);
      else if (name === null)
        search(text.value, scriptPlace(url), `The style sheet ${quoted(pathname, 200)}`);
      else
        search(
          text.value,
          scriptPlace(url),
          `${quoted(name, 150)} in the source map ${quoted(pathname, 150)}`,
        );
    }

    if (!scripts.assessed) return found.cannotAssess(all, scripts.reason);
    for (const { url, response } of scripts.value) {
      if (!response.assessed) {
        found.cannotAssess(all, response.reason);
        continue;
      }
      const { body, body_truncated } = response.value;
      const isSameOrigin = page.assessed && originOf(page.value.url) === originOf(url);
      const shown = isSameOrigin ? new URL(withoutQuery(url)).pathname : withoutQuery(url);
      search(body, scriptPlace(url), `The script ${quoted(shown, 200)}`);
      if (body_truncated) found.cannotAssess(all, unreadReason('script'));
    }
  }),
};

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
