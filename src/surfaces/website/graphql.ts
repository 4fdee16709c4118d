import { mediaTypeOf } from '../../captures/media-type.ts';
import { parseUrl } from '../../captures/page-addresses.ts';
import type { HttpResponse, PageScript } from '../../captures/website.ts';

/** Endpoints that the page or its scripts name and that are asked. */
const most = 3;

/** A query, which changes nothing (GraphQL over HTTP, 5). */
export const postedQuestion = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify({ query: '{__schema{queryType{name}}}' }),
} as const;

/** Headers of a query by GET: servers answer with a page to browsers, and Apollo’s refuses what any site could send. */
export const askedQuestion = {
  headers: { accept: 'application/json', 'apollo-require-preflight': 'true' },
} as const;

/** Whether a response to a query by GET is that of an endpoint: it takes no GET, or shows a tool for queries. */
export function mayBeGraphql({ status, headers, body }: HttpResponse): boolean {
  if ([400, 405, 415, 422].includes(status)) return true;
  if (status !== 200 || body.includes('"__schema"')) return false;
  return (
    /\bjson\b/.test(mediaTypeOf(headers)) ||
    /graph(?:i?ql|[a-z]{0,8} playground)|apollo/i.test(body.slice(0, 20_000))
  );
}

/** A path or URL in quotes that ends as those of endpoints do. */
const endpoint = /(["'`])((?:https?:\/\/[\w.:-]{1,200})?(?:\/[\w.-]{1,60}){0,4}\/(?:graphql|gql))\1/gi;

/** The paths of GraphQL endpoints at the origin that the page or its scripts name. */
export function namedEndpoints(page: HttpResponse, scripts: readonly PageScript[], origin: string): string[] {
  const texts = [page, ...scripts.flatMap(({ response }) => (response.assessed ? [response.value] : []))];
  const urls = texts.flatMap(({ body }) =>
    [...body.matchAll(endpoint)].flatMap(([, , reference]) => parseUrl(reference!, page.url) ?? []),
  );
  const paths = urls.filter(url => url.origin === origin).map(({ pathname }) => pathname);
  return [...new Set(paths)].slice(0, most);
}
