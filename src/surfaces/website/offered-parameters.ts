import { PageAddresses } from '../../captures/page-addresses.ts';
import { isInQuery, parameterAt } from '../../captures/places.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { linkMayAct } from './acting-words.ts';

const maxProbes = 30;
const maxParameters = 12;
/** Links and forms that are searched for parameters, characters of one that is requested, and fields of a form. */
const maxOffered = 2_000;
const maxAskedLength = 2_048;
const maxFields = 100;

/** Sent in addition to the page's parameters: many applications write any parameter into links and forms. */
export const inventedName = 'parapet';

export interface Candidate {
  readonly url: URL;
  /** Parameters that are tested; the others keep their values. */
  readonly names: readonly string[];
}

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
    const key = `${url.pathname} ${[...names].sort().join(' ')}`;
    if (found.has(key)) return;
    if (found.size === maxProbes) {
      notAsked ??= tooManyProbes;
      return;
    }
    if (names.length > maxParameters) notAsked ??= tooManyParameters;
    found.set(key, { url, names: names.slice(0, maxParameters) });
  };
  const home = new URL(page.url);
  const again = place === undefined ? null : parameterAt(place);
  if (
    again !== null &&
    isInQuery(again.name) &&
    URL.canParse(again.url) &&
    new URL(again.url).origin === home.origin
  ) {
    add(new URL(again.url), [again.name]);
  }
  add(home, [...new Set([...home.searchParams.keys(), inventedName])]);
  const { candidates, leftOut } = offered(page, home.origin);
  for (const { url, names } of candidates) {
    if (names.length > 0 && !linkMayAct(url, names)) add(url, names);
  }
  return { candidates: [...found.values()], leftOut: leftOut ?? notAsked };
}

/** Links with a query and GET forms, up to the limits. */
function offered(
  page: HttpResponse,
  origin: string,
): { candidates: readonly Candidate[]; leftOut: string | null } {
  const found: Candidate[] = [];
  let form: { url: URL; names: string[]; hidden: [string, string][]; isSafe: boolean } | null = null;
  let leftOut: string | null = null;
  const addresses = new PageAddresses(page.url);
  const offer = (candidate: Candidate) => {
    if (candidate.url.origin !== origin) return;
    if (candidate.url.href.length > maxAskedLength)
      leftOut ??= 'The page links to URLs that are too long to request.';
    else if (found.length < maxOffered) found.push(candidate);
    else leftOut ??= 'The page has more links with a query than the scan compares.';
  };
  const ofTags = readTags(page.body, {
    onOpen(element, attributes) {
      if (element === 'a') {
        const mayFollow = attributes.href?.includes('?') && !/\bnofollow\b/i.test(attributes.rel ?? '');
        const url = mayFollow ? addresses.resolve(attributes.href) : null;
        if (url !== null && attributes['data-method'] === undefined) {
          offer({ url, names: [...new Set(url.searchParams.keys())] });
        }
      } else if (element === 'form') {
        const url = addresses.resolve(attributes.action ?? '');
        const isGet = (attributes.method ?? 'get').trim().toLowerCase() === 'get';
        form = url !== null && isGet ? { url, names: [], hidden: [], isSafe: true } : null;
        if (form !== null) form.url.search = '';
      } else if (form !== null && attributes.name !== undefined) {
        if (form.names.length + form.hidden.length >= maxFields) {
          leftOut ??= 'A form of the page has more fields than the scan fills in.';
          form.isSafe = false;
        }
        if (element === 'textarea') form.names.push(attributes.name);
        if (element !== 'input') return;
        const type = (attributes.type ?? 'text').trim().toLowerCase();
        if (['text', 'search', 'url', 'tel', 'email'].includes(type)) form.names.push(attributes.name);
        else if (type === 'hidden') form.hidden.push([attributes.name, attributes.value ?? '']);
        else if (type === 'password' || type === 'file') form.isSafe = false;
      }
    },
    onClose(element) {
      if (element !== 'form' || form === null) return;
      if (form.isSafe) {
        form.url.search = new URLSearchParams(form.hidden).toString();
        offer({ url: form.url, names: form.names });
      }
      form = null;
    },
  });
  return { candidates: found, leftOut: leftOut ?? addresses.gap ?? ofTags };
}
