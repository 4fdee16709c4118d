import { parseUrl } from '../../../captures/page-addresses.ts';
import type { HttpResponse } from '../../../captures/website.ts';
import { readMarkup } from '../markup.ts';
import { headerValue, isDocument } from '../response.ts';

interface PrivateAddress {
  /** `header x-backend`, `comment`, `script`, `form`, `img`: part of a locator. */
  readonly place: string;
  readonly address: string;
}

/**
 * An address of RFC 1918. After a name, a version or a single slash (`nginx/10.1.2.3`), it is a version
 * number; with more parts, it is not an address.
 */
const privateAddress =
  /(?<![\w.-])(?<!(?<!\/)\/)(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d)/g;

const internalName = /\.(?:internal|local|lan|corp|intranet|localdomain|home\.arpa)$/;

/**
 * Internal addresses in a response: in headers, loaded resources, form targets, script strings and comments.
 * Text and links are left out, because pages may be about routers.
 */
export function privateAddresses(response: HttpResponse): PrivateAddress[] {
  const own = new URL(response.url).hostname;
  const found: PrivateAddress[] = [];
  const add = (place: string, address: string) => {
    if (address !== own) found.push({ place, address });
  };
  for (const [name, value] of response.headers) {
    // Cookie values belong to the visitor, and a policy may list hosts that only a company's own browsers reach.
    if (/^set-cookie$|^content-security-policy|version|build/.test(name)) continue;
    for (const address of addressesIn(value)) add(`header ${name}`, address);
  }
  const location = headerValue(response, 'location');
  const target = location === undefined ? null : parseUrl(location, response.url);
  if (target !== null && internalName.test(target.hostname)) add('header location', target.hostname);
  if (!isDocument(response)) return found;
  const { resources, formActions, inlineScripts } = readMarkup(response);
  const addresses = [
    ...resources.map(({ element, url }) => ({ element, url })),
    ...formActions.map(url => ({ element: 'form', url })),
  ];
  for (const { element, url } of addresses) {
    const { hostname } = new URL(url);
    if (internalName.test(hostname) || addressesIn(hostname).length > 0) add(element, hostname);
  }
  for (const script of inlineScripts) {
    for (const [, address = ''] of script.matchAll(
      /["'`](?:https?:\/\/)?(\d{2,3}(?:\.\d{1,3}){3})(?=[:/"'`])/g,
    )) {
      if (addressesIn(address).length > 0) add('script', address);
    }
  }
  for (const address of addressesInComments(response.body)) add('comment', address);
  return found;
}

function addressesIn(text: string): string[] {
  return [...text.matchAll(privateAddress)]
    .filter(
      ({ index }) =>
        !/(?:version|release|build|\bv)\W{0,3}$/i.test(text.slice(Math.max(0, index - 12), index)),
    )
    .map(([address]) => address)
    .filter(address => address.split('.').every(part => Number(part) < 256));
}

function addressesInComments(body: string): string[] {
  const found: string[] = [];
  let at = body.indexOf('<!--');
  while (at !== -1) {
    const end = body.indexOf('-->', at + 4);
    if (end === -1) break;
    for (const address of addressesIn(body.slice(at + 4, end))) found.push(address);
    at = body.indexOf('<!--', end + 3);
  }
  return found;
}
