import { readTags } from '../../../captures/read-tags.ts';
import type { HttpResponse } from '../../../captures/website.ts';
import { quoted } from '../../detection.ts';
import { isMarkup } from '../shown-as-html.ts';

/** A product with the version of a release: other generator tags name only the product. */
const versioned = /^[\p{L}][\w .!:®™-]{1,60}?[ /]v?\d{1,4}\.\d{1,4}(?:[.\w-]{0,20})(?:$|[ ;,(])/u;

/** Generator tags are in the head. */
const searched = 64 * 1024;

/** The product and version that a page names as its generator, quoted; null if it names none. */
export function versionShown(page: HttpResponse): string | null {
  if (!isMarkup(page)) return null;
  const head = page.body.slice(0, searched);
  if (!/\bgenerator\b/i.test(head)) return null;
  let shown: string | null = null;
  readTags(head, {
    onOpen(tag, { name, content = '' }) {
      if (
        tag === 'meta' &&
        name?.trim().toLowerCase() === 'generator' &&
        versioned.test(content.slice(0, 120))
      )
        shown ??= quoted(content, 80);
    },
  });
  return shown;
}
