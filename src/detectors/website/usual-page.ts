import type { Assessment } from '../../captures/assessment.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { outlineOf } from './outline.ts';
import { mediaType } from './response.ts';
import { saysNotFound } from './says-not-found.ts';
import { isMarkup } from './shown-as-html.ts';

/**
 * Whether content is what the site shows where it has nothing: a page of its own, or words that say so. A firewall that answers some
 * paths, or all of them, with status 200 shows neither. Where unknown paths have no page, one without links
 * into the site is none of its own.
 *
 * @param control the answer for a path that does not exist
 * @param page the page that visitors end up with: applications of one page show it at every path
 */
export function isUsualPage(
  content: HttpResponse,
  control: Assessment<HttpResponse>,
  page: Assessment<HttpResponse>,
): boolean {
  if (saysNotFound(content)) return true;
  // The words of a firewall have a style and a logo too, and no way on.
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

/** It has links into the site, or loads files of it, as no page of a service in front of the site does. */
const leadsIntoSite = (response: HttpResponse) => isMarkup(response) && outlineOf(response).ownAddresses > 1;

const isOfSite = (response: HttpResponse) =>
  isMarkup(response) && (leadsIntoSite(response) || outlineOf(response).hasOwnScript);

/** Whether both are the same, apart from the path, numbers and ids in it. */
function isAlike(a: HttpResponse, b: HttpResponse): boolean {
  return mediaType(a) === mediaType(b) && plainText(a) === plainText(b);
}

const plainText = ({ url, body }: HttpResponse) => {
  const path = new URL(url).pathname.slice(1);
  const plain = path === '' ? body : body.replaceAll(path, '');
  return plain.replace(/ nonce="[^"]{0,100}"|__CF\$cv\$params=\{[^}]{0,200}\}|[0-9a-f]{8,}|[0-9]/gi, '');
};
