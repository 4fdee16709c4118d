import type { Assessment } from '../../captures/assessment.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { outlineOf } from './outline.ts';
import { mediaType } from './response.ts';
import { saysNotFound } from './says-not-found.ts';
import { isMarkup } from './shown-as-html.ts';

/**
 * Whether content is what the site returns for missing paths: a page of the site, or a message. A firewall
 * that returns status 200 for some or all paths sends neither. If unknown paths have no page, a page without
 * links into the site is not the site's own.
 *
 * @param control the response for a path that does not exist
 * @param page the page that visitors reach: single-page applications return it for every path
 */
export function isUsualPage(
  content: HttpResponse,
  control: Assessment<HttpResponse>,
  page: Assessment<HttpResponse>,
): boolean {
  if (saysNotFound(content)) return true;
  // A firewall's page can have a style and a logo too, but no links into the site.
  const isPage = isMarkup(content) && outlineOf(content).ownLinks > 1;
  if (isPage || (control.assessed && control.value.status < 300 && leadsIntoSite(content))) return true;
  if (page.assessed && isAlike(content, page.value)) return isOfSite(page.value);
  return (
    control.assessed &&
    control.value.status < 300 &&
    isAlike(content, control.value) &&
    isOfSite(control.value)
  );
}

/** It links into the site or loads its files, unlike pages of a service in front of the site. */
const leadsIntoSite = (response: HttpResponse) => isMarkup(response) && outlineOf(response).ownAddresses > 1;

const isOfSite = (response: HttpResponse) =>
  isMarkup(response) && (leadsIntoSite(response) || outlineOf(response).hasOwnScript);

/** Whether both are the same, apart from the path, numbers and IDs. */
function isAlike(a: HttpResponse, b: HttpResponse): boolean {
  return mediaType(a) === mediaType(b) && plainText(a) === plainText(b);
}

const plainText = ({ url, body }: HttpResponse) => {
  const path = new URL(url).pathname.slice(1);
  const plain = path === '' ? body : body.replaceAll(path, '');
  return plain.replace(/ nonce="[^"]{0,100}"|__CF\$cv\$params=\{[^}]{0,200}\}|[0-9a-f]{8,}|[0-9]/gi, '');
};
