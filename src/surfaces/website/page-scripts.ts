import { isXml, mediaTypeOf } from '../../captures/media-type.ts';
import { PageAddresses } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import { isRunnable, sourceOf } from '../../captures/script-element.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { hostnameOf } from './http-client.ts';
import { ImportMap } from './import-map.ts';
import { isSameSite } from './navigate.ts';
import { type Loading, referencesIn, type ScriptReference } from './script-references.ts';

/** Scripts of one page that are named. */
export const maxNamed = 200;

export interface PageScripts {
  /** The page's own scripts, each once, in the order of the page; those that it may load later after all others. */
  readonly references: readonly ScriptReference[];
  readonly imports: ImportMap;
  /** Why some may be missing, in a sentence. */
  readonly gap: string | null;
}

export function scriptsOfPage(page: HttpResponse): PageScripts {
  const imports = new ImportMap();
  const type = mediaTypeOf(page.headers);
  if (!['', 'text/html', 'application/xhtml+xml'].includes(type))
    return { references: [], imports, gap: null };
  const found = new Map<string, ScriptReference>();
  const addresses = new PageAddresses(page.url);
  let isFull = false;
  let mayForbidBase = page.headers.some(
    ([name, value]) => name === 'content-security-policy' && /base-uri/i.test(value),
  );
  const ofXml = isXml(type)
    ? 'The page is XML, which loads different scripts than the same text as HTML.'
    : null;
  let named: string | null = null;
  let within: 'script' | 'import map' | null = null;
  let inline = '';
  const maps: string[] = [];
  const add = ({ url, loading }: ScriptReference) => {
    url.hash = '';
    if (!isOwn(url, page) || found.has(url.href)) return;
    if (found.size < maxNamed) found.set(url.href, { url, loading });
    else isFull = true;
  };
  const ofTags = readTags(page.body, {
    onOpen(name, attributes) {
      within = name !== 'script' ? null : isImportMap(attributes) ? 'import map' : 'script';
      if (within === 'import map') maps.push('');
      // RequireJS loads further scripts by names that its configuration resolves.
      if (name === 'script' && attributes['data-main'] !== undefined) named = ofNames;
      if (name === 'base' && attributes.href !== undefined) addresses.setBase(attributes.href);
      if (name === 'meta' && /base-uri/i.test(attributes.content ?? '')) mayForbidBase = true;
      for (const { reference, loading } of scriptReferences(name, attributes)) {
        const url = reference.trim() === '' ? null : addresses.resolve(reference);
        if (url !== null) add({ url, loading });
      }
    },
    onText(text) {
      if (within === 'script') inline += text;
      if (within === 'import map') maps[maps.length - 1] += text;
    },
    onClose() {
      within = null;
    },
  });
  for (const map of maps) if (!imports.add(map, addresses.base)) named = ofNames;
  const ofInline = referencesIn(inline, new URL(addresses.base), imports, true);
  for (const reference of ofInline.references) add(reference);
  isFull ||= ofInline.isFull;
  const isElsewhere = new URL(addresses.base).origin !== new URL(page.url).origin;
  const ofBase =
    isElsewhere && mayForbidBase ? 'The page’s policy may forbid the base of its scripts.' : null;
  const isLater = ({ loading }: ScriptReference) => Number(loading === 'later');
  return {
    references: [...found.values()].sort((a, b) => isLater(a) - isLater(b)),
    imports,
    gap: isFull
      ? `The page names more than ${maxNamed} scripts.`
      : (ofXml ?? addresses.gap ?? ofTags ?? ofBase ?? named),
  };
}

/** HTML, 4.12.1, and the same of SystemJS. */
const isImportMap = ({ type }: Record<string, string>) =>
  /^(?:systemjs-)?importmap$/.test(type?.trim().toLowerCase() ?? '');
const ofNames = 'The page loads scripts by name, which the scan does not resolve.';

/** Whether a URL is one of the page's site. */
export function isOwn(url: URL, page: HttpResponse): boolean {
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  const hasNoUser = url.username === '' && url.password === '';
  return isHttp && hasNoUser && isSameSite(hostnameOf(new URL(page.url)), hostnameOf(url));
}

interface Reference {
  readonly reference: string;
  readonly loading: Loading;
}

/** The scripts that an element loads in current browsers: data blocks and `nomodule` scripts do not run. */
function scriptReferences(name: string, attributes: Record<string, string>): Reference[] {
  const one = (reference: string | undefined, loading: Loading = 'at_once'): Reference[] =>
    reference === undefined ? [] : [{ reference, loading }];
  if (name === 'script') {
    const { nomodule, 'data-main': main } = attributes;
    const runs = isRunnable(attributes) && nomodule === undefined;
    const ofRequire = main === undefined ? undefined : main.replace(/(?:\.js)?$/, '.js');
    return [...one(runs ? sourceOf(attributes) : undefined), ...one(ofRequire)];
  }
  if (name !== 'link') return [];
  const relations = (attributes.rel ?? '').toLowerCase().split(/\s+/);
  const isScript = attributes.as?.trim().toLowerCase() === 'script';
  if (relations.includes('modulepreload') || (relations.includes('preload') && isScript))
    return one(attributes.href);
  return relations.includes('prefetch') && isScript ? one(attributes.href, 'later') : [];
}
