import { parseUrl } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import { isRunnable } from '../../captures/script-element.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** The parts of a page that distinguish the site's own pages from stand-ins. */
export interface Outline {
  readonly title: string;
  /** The visible text, its start. */
  readonly text: string;
  /** The text for browsers without scripts, its start. */
  readonly noscript: string;
  /** It has a visible field. */
  readonly hasField: boolean;
  /** Values of `<meta http-equiv=refresh>` and of the header. */
  readonly refreshes: readonly string[];
  /** Inline scripts, also in attributes, their start. */
  readonly script: string;
  /** It loads a script file of the site, which may build the page. */
  readonly hasOwnScript: boolean;
  /** It embeds another document. */
  readonly hasFrame: boolean;
  /** Distinct URLs of its own host that it links to or loads, other than the root and itself; at most two. */
  readonly ownAddresses: number;
  /** Distinct pages of its own host that it links to, other than the root and itself; at most three. */
  readonly ownLinks: number;
}

/** Characters of text that are kept. */
export const keptText = 1_000;
const keptScript = 20_000;

/** Elements without visible text. Browsers with scripts skip `noscript`. */
const withoutContent = new Set(['script', 'style', 'title', 'noscript', 'template']);
const frames = new Set(['frame', 'iframe', 'object', 'embed']);

/** Folders for files of services in front of a site. */
const ofServices = /^\/(?:cdn-cgi|\.well-known|_sec|_Incapsula_Resource|akam)\b/;

/** URLs of one page that are resolved for the count. */
const mostAddresses = 50;

/** Detectors check the same responses repeatedly. */
const known = new WeakMap<HttpResponse, Outline>();

export function outlineOf(response: HttpResponse): Outline {
  const outline = known.get(response) ?? readOutline(response);
  known.set(response, outline);
  return outline;
}

function readOutline({ body, url, headers }: HttpResponse): Outline {
  const refreshes = headers.flatMap(([name, value]) => (name === 'refresh' ? [value] : []));
  const read: Record<string, string> = { title: '', text: '', script: '', noscript: '' };
  const has = { field: false, ownScript: false, frame: false };
  const own = new Set<string>();
  const links = new Set<string>();
  let left = mostAddresses;
  let within: string | null = null;
  const { host, pathname } = new URL(url);
  const noteAddress = (reference: string, isLink: boolean) => {
    if ((own.size >= 2 && (!isLink || links.size >= 3)) || left === 0) return;
    left -= 1;
    const address = parseUrl(reference, url);
    if (address?.host !== host || !/^https?:$/.test(address.protocol)) return;
    const isItself = address.pathname === '/' || address.pathname === pathname;
    if (isItself || ofServices.test(address.pathname)) return;
    own.add(address.pathname);
    if (isLink) links.add(address.pathname);
  };
  const add = (part: string, piece: string) => {
    const limit = part === 'script' ? keptScript : keptText;
    if (part in read && read[part]!.length < limit) read[part] += piece.slice(0, limit);
  };
  readTags(body, {
    onOpen(name, attributes) {
      if (within === 'noscript' || within === 'template') return;
      const { href, src } = attributes;
      if (isVisibleField(name, attributes)) has.field = true;
      if (frames.has(name)) has.frame = true;
      if (name === 'script' && src !== undefined) has.ownScript ||= parseUrl(src, url)?.host === host;
      if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh')
        refreshes.push(attributes.content ?? '');
      const address = name === 'a' || name === 'link' ? href : src;
      if (address !== undefined) noteAddress(address, name === 'a');
      for (const [attribute, value] of Object.entries(attributes))
        if (isHandler(attribute)) add('script', value);
      if (name === 'script' && !isRunnable(attributes)) within = 'data';
      else if (withoutContent.has(name)) within = name;
    },
    onClose(name) {
      if (name === within || (name === 'script' && within === 'data')) within = null;
    },
    onText(piece) {
      add(within ?? 'text', piece);
    },
  });
  return {
    title: read.title!.trim(),
    text: read.text!.replace(/\s+/g, ' ').trim(),
    noscript: read.noscript!.replace(/\s+/g, ' ').trim(),
    hasField: has.field,
    refreshes,
    script: read.script!,
    hasOwnScript: has.ownScript,
    hasFrame: has.frame,
    ownAddresses: Math.min(own.size, 2),
    ownLinks: Math.min(links.size, 3),
  };
}

const isHandler = (attribute: string) => /^on[a-z]/.test(attribute);

function isVisibleField(name: string, { type }: Readonly<Record<string, string>>): boolean {
  if (name === 'textarea' || name === 'select') return true;
  return name === 'input' && !/^\s*(?:hidden|submit|image|button|reset)\s*$/i.test(type ?? '');
}
