import { readTags } from '../../../captures/read-tags.ts';

/** How a marked value changed the page's structure. */
export type Reflected = 'element' | 'attribute' | 'script';

/**
 * How each marker's text appears in an HTML document. A marker that is encoded, stripped of special characters or missing is not
 * in the result.
 *
 * @returns gap why some may be missing, in a sentence
 */
export function reflectedAs(html: string, markers: readonly string[]) {
  const found = new Map<string, Reflected>();
  const present = markers.filter(marker => html.includes(marker)).map(marker => new Marker(marker, html));
  if (present.length === 0) return { reflected: found, gap: null };
  const note = (how: Reflected, came: (marker: Marker) => boolean) => {
    for (const marker of present) if (!found.has(marker.name) && came(marker)) found.set(marker.name, how);
  };
  let script: string[] | null = null;
  const gap = readTags(html, {
    onOpen(name, attributes) {
      note('element', marker => marker.name === name);
      note('attribute', marker => Object.values(attributes).some(value => marker.ended(value)));
      if (name === 'script') script = [];
    },
    onText: text => void script?.push(text),
    onClose(name) {
      if (name !== 'script' || script === null) return;
      const code = script.join('');
      note('script', marker => marker.isRawIn(code));
      script = null;
    },
  });
  return { reflected: found, gap };
}

class Marker {
  readonly name: string;
  /**
   * The sent quote is followed by the other one, or by its encoding. Otherwise a quote after the marker is the page's own, and the
   * sent one was removed.
   */
  readonly #keepsDouble: boolean;
  readonly #keepsSingle: boolean;

  constructor(name: string, html: string) {
    this.name = name;
    this.#keepsDouble = ["'", '&#', '&apos;'].some(next => html.includes(`${name}"${next}`));
    this.#keepsSingle = ['"', '&quot;', '&#34;'].some(quote => html.includes(`${name}${quote}'`));
  }

  /** An attribute's value ends exactly where the marked text has a quote. */
  ended(value: string): boolean {
    return (
      (this.#keepsDouble && value.endsWith(this.name)) ||
      (this.#keepsSingle && value.endsWith(`${this.name}"`))
    );
  }

  /** Both quotes unencoded end any string; an unencoded closing tag would end the script. */
  isRawIn(code: string): boolean {
    return code.includes(`${this.name}"'`) || code.includes(`</${this.name}>`);
  }
}
