import { mediaTypeOf } from '../../captures/media-type.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** Whether browsers show the response as HTML. One without a media type counts when it looks like it, since they sniff. */
export function isMarkup({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): boolean {
  if (body.trim() === '') return false;
  const type = mediaTypeOf(headers);
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  return type === '' && sniffedAsHtml.test(body.slice(0, 1500));
}

/** MIME Sniffing, 7.1. */
const sniffedAsHtml =
  /^\s*<(?:!--|(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>])/i;
