import { mediaTypeOf } from '../../captures/media-type.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** Whether browsers treat the response as HTML. Without a media type, they sniff the content. */
export function isMarkup({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): boolean {
  if (body.trim() === '') return false;
  const type = mediaTypeOf(headers);
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  return type === '' && sniffedAsHtml.test(body.slice(0, 1500));
}

/** MIME Sniffing, 7.1. */
const sniffedAsHtml =
  /^\s*<(?:!--|(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>])/i;
