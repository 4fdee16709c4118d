import { isXml, mediaTypeOf } from '../../../captures/media-type.ts';
import { readTags } from '../../../captures/read-tags.ts';
import { isRunnable } from '../../../captures/script-element.ts';
import type { HttpResponse, PageScript } from '../../../captures/website.ts';

/**
 * The scripts within the page, and those that were read. Not the rest of the page: visitors write there, and
 * must not choose what a scan requests.
 */
export function scriptTexts(page: HttpResponse, scripts: readonly PageScript[]): string[] {
  const type = mediaTypeOf(page.headers);
  const isDocument = type === '' || type === 'text/html' || isXml(type);
  return [
    ...(isDocument ? inlineScripts(page.body) : []),
    ...scripts.flatMap(({ response }) => (response.assessed ? [response.value.body] : [])),
  ];
}

function inlineScripts(body: string): string[] {
  const texts: string[] = [];
  let isWithin = false;
  readTags(body, {
    onOpen(name, attributes) {
      isWithin = name === 'script' && attributes.src === undefined && isRunnable(attributes);
      if (isWithin) texts.push('');
    },
    onText(text) {
      if (isWithin) texts[texts.length - 1] += text;
    },
    onClose() {
      isWithin = false;
    },
  });
  return texts;
}
