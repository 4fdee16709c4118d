import { isInQuery, isMasked, parameterAt } from '../../../captures/places.ts';
import type { HttpResponse } from '../../../captures/website.ts';
import { linkMayAct } from './acting-words.ts';
import { type Candidate, offersOfPage } from './offers-of-page.ts';

const maxProbes = 30;
const maxParameters = 12;

/** Sent in addition to the page's parameters: many applications write any parameter into links and forms. */
export const inventedName = 'parapet';

const mayActAgain = 'The words of the finding’s URL suggest an action.';
const tooManyProbes = 'The page has more links and forms with parameters than the scan tests.';
const tooManyParameters = `A URL of the page has more than ${maxParameters} parameters.`;

/**
 * The page, the pages that it links to with a query, and the results of its search forms, each path with the same parameters once. Only
 * what is requested with GET, and nothing whose words suggest an action.
 *
 * @param place a finding's locator, URL and parameter, to request even if the page no longer references it
 */
export function offeredParameters(
  page: HttpResponse,
  place: string | undefined,
): { candidates: readonly Candidate[]; leftOut: string | null } {
  const found = new Map<string, Candidate>();
  let notAsked: string | null = null;
  const add = (url: URL, names: readonly string[]) => {
    // Their findings would have the place of another one.
    const named = names.filter(name => isInQuery(name) && !isMasked(name));
    if (isMasked(url.href) || named.length === 0) return;
    const key = `${url.pathname} ${[...named].sort().join(' ')}`;
    if (found.has(key)) return;
    if (found.size === maxProbes) {
      notAsked ??= tooManyProbes;
      return;
    }
    if (named.length > maxParameters) notAsked ??= tooManyParameters;
    found.set(key, { url, names: named.slice(0, maxParameters) });
  };
  const home = new URL(page.url);
  const again = place === undefined || isMasked(place) ? null : parameterAt(place);
  if (
    again !== null &&
    isInQuery(again.name) &&
    URL.canParse(again.url) &&
    new URL(again.url).origin === home.origin
  ) {
    const url = new URL(again.url);
    if (linkMayAct(url, [again.name])) notAsked = mayActAgain;
    else add(url, [again.name]);
  }
  add(home, [...new Set([...home.searchParams.keys(), inventedName])]);
  const { candidates, leftOut } = offersOfPage(page, home.origin);
  for (const { url, names } of candidates) add(url, names);
  return { candidates: [...found.values()], leftOut: leftOut ?? notAsked };
}
