// Attributes of elements, as browsers interpret them.

export type Attributes = Readonly<Record<string, string>>;

export interface MarkupField {
  /** `name`, else `id`; as written. */
  readonly name: string;
  /** In lowercase; `text` by default. */
  readonly type: string;
  /** Tokens of the autocomplete attribute, in lowercase. */
  readonly autocomplete: readonly string[];
}

export interface MarkupForm {
  /** Absolute URL that it submits to. */
  readonly action: string;
  /** `none` where only scripts submit it. */
  readonly method: 'get' | 'post' | 'none';
  readonly fields: readonly MarkupField[];
}

/** Entries kept of each list of a page. */
export const maxEntries = 2_000;

/** Characters kept of a text. */
export const maxText = 200;

/** A hash that browsers verify. They ignore others (Subresource Integrity, 3.3.3). */
const hashes = /(?:^|[\t\n\f\r ])sha(?:256|384|512)-[\w+/-]{40,90}={0,2}(?:\?|$|[\t\n\f\r ])/i;

/** Whether browsers verify the element's content with a hash. */
export function isHashed({ integrity }: Attributes): boolean {
  return hashes.test(integrity ?? '');
}

const frames = new Set(['iframe', 'frame', 'object', 'embed']);

/** Scripts in URLs of frames that leave them empty, without spaces, brackets and semicolons. */
const emptyScripts = new Set(['', 'void', 'void0', 'false', 'true', "''", '""', '%22%22']);

/** Whether an element shows a document that is contained in its URL. */
export function holdsDocument(element: string, url: string): boolean {
  if (!frames.has(element)) return false;
  if (url.startsWith('javascript:')) {
    return !emptyScripts.has(url.slice('javascript:'.length).replace(/[\s;()]|%20/g, ''));
  }
  return url.startsWith('data:') && !/^data:image\/(?:png|jpeg|gif|webp)/.test(url);
}

/** Images loaded by attributes other than `src`. */
export function furtherSources(name: string, attributes: Attributes): readonly string[] {
  if (name === 'video' && attributes.poster !== undefined) return [attributes.poster];
  if (name === 'input' && attributes.type?.toLowerCase() === 'image')
    return attributes.src ? [attributes.src] : [];
  if (name !== 'img' && name !== 'source') return [];
  return candidatesOf(attributes.srcset ?? '');
}

/** The URLs of a `srcset`, each up to a space: they may contain commas (HTML, 4.8.4.3.2). */
function candidatesOf(srcset: string): readonly string[] {
  const sources: string[] = [];
  const address = /[\t\n\f\r ,]*([^\t\n\f\r ,][^\t\n\f\r ]*)/y;
  while (true) {
    const source = address.exec(srcset)?.[1];
    if (source === undefined) break;
    sources.push(source.replace(/,{1,9}$/, ''));
    if (source.endsWith(',')) continue;
    const comma = srcset.indexOf(',', address.lastIndex);
    if (comma === -1) break;
    address.lastIndex = comma;
  }
  return sources;
}

/** Only an explicit `opener` counts: browsers have treated `_blank` as `noopener` since 2021. */
export function givesOpener({ target, rel }: Attributes): boolean {
  const relations = (rel ?? '').toLowerCase().split(/\s+/);
  return target?.toLowerCase() === '_blank' && relations.includes('opener');
}

export function methodOf({ method, action }: Attributes): MarkupForm['method'] {
  const value = method?.trim().toLowerCase();
  if (value === 'post') return 'post';
  if (value === 'dialog') return 'none';
  // Frameworks that submit a form by script set neither; browsers would submit such a form with GET.
  return value === undefined && action === undefined ? 'none' : 'get';
}

export function fieldOf(element: string, attributes: Attributes): MarkupField {
  return {
    name: attributes.name || attributes.id || '',
    type: element === 'input' ? (attributes.type ?? 'text').trim().toLowerCase() : element,
    autocomplete: (attributes.autocomplete ?? '').toLowerCase().split(/\s+/),
  };
}
