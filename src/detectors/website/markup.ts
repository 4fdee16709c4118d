import { isXml } from '../../captures/media-type.ts';
import { PageAddresses } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import { isHeld, isRunnable, sourceOf } from '../../captures/script-element.ts';
import type { HttpResponse } from '../../captures/website.ts';
import {
  type Attributes,
  fieldOf,
  furtherSources,
  givesOpener,
  holdsDocument,
  isHashed,
  type MarkupField,
  type MarkupForm,
  maxEntries,
  maxText,
  methodOf,
} from './markup-attributes.ts';
import { directivesOf, separatePolicies } from './policy-directives.ts';
import { headerValues, mediaType, originOf, unreadReason } from './response.ts';

interface MarkupResource {
  readonly element: string;
  /** Absolute URL. */
  readonly url: string;
  /** It can change the page (scripts, styles, frames, plugins), unlike images and media. */
  readonly active: boolean;
  /** It has a hash that browsers verify (Subresource Integrity). */
  readonly hasIntegrity: boolean;
  /** Browsers load it, unlike scripts whose type a consent tool has changed. */
  readonly loads: boolean;
}

interface MarkupLink {
  /** Absolute URL. */
  readonly url: string;
  /** Its text, or the alternative text of an icon. At most 200 characters. */
  readonly text: string;
  /** It opens a window that gets a reference to this one. */
  readonly givesOpener: boolean;
}

/** The parts of a document's markup that detectors read. */
export interface Markup {
  readonly resources: readonly MarkupResource[];
  /** Text of inline scripts that run. */
  readonly inlineScripts: readonly string[];
  /** Text of inline scripts that a consent tool runs when the visitor consents. */
  readonly heldScripts: readonly string[];
  /** Text of import maps. */
  readonly importMaps: readonly string[];
  /** From the attribute `ng-version`, which Angular adds to the root of an application. */
  readonly angularVersions: readonly string[];
  /** Absolute URLs that forms submit to. */
  readonly formActions: readonly string[];
  /** Fields outside any form are in one with method `none`. */
  readonly forms: readonly MarkupForm[];
  readonly hasPasswordField: boolean;
  readonly links: readonly MarkupLink[];
  /** Policies from `<meta http-equiv="Content-Security-Policy">` in the head: browsers ignore others. */
  readonly policies: readonly string[];
  readonly declaresCharset: boolean;
  /** From each `<meta name="referrer">`, in lowercase. */
  readonly referrerPolicies: readonly string[];
  /** Why the markup is incomplete, as a sentence: the page was cut off, exceeds a limit, or browsers may parse it differently. Null if it
   * is complete. */
  readonly gap: string | null;
  /** The same for parts that do not depend on URLs, such as policies. */
  readonly elementGap: string | null;
}

/** Attributes that load something: element, attribute, active. */
const loading: Record<string, { attribute: string; active: boolean }> = {
  script: { attribute: 'src', active: true },
  iframe: { attribute: 'src', active: true },
  frame: { attribute: 'src', active: true },
  object: { attribute: 'data', active: true },
  embed: { attribute: 'src', active: true },
  img: { attribute: 'src', active: false },
  audio: { attribute: 'src', active: false },
  video: { attribute: 'src', active: false },
  source: { attribute: 'src', active: false },
};

/** Elements that may be in a head, or around it. */
const headElements = new Map<string, 'empty' | 'with content'>([
  ...['html', 'head', 'base', 'basefont', 'bgsound', 'link', 'meta'].map(name => [name, 'empty'] as const),
  ...['noframes', 'noscript', 'script', 'style', 'template', 'title'].map(
    name => [name, 'with content'] as const,
  ),
]);

/** End tags that start a body (HTML, 13.2.6.4.4). */
const endTagsOfBody = new Set(['body', 'br', 'html']);

const framesNotRead =
  'The page has a frame with an inline document (data: or javascript: URL), which the scan does not read.';

const read = new WeakMap<HttpResponse, Markup>();

/** Parses a document once for all detectors, in time linear in its length. */
export function readMarkup(page: HttpResponse): Markup {
  const known = read.get(page);
  if (known !== undefined) return known;
  const markup = parseMarkup(page);
  read.set(page, markup);
  return markup;
}

function parseMarkup(page: HttpResponse): Markup {
  const resources: MarkupResource[] = [];
  const inlineScripts: string[] = [];
  const heldScripts: string[] = [];
  const importMaps: string[] = [];
  const angularVersions = new Set<string>();
  const formActions: string[] = [];
  const loose: MarkupField[] = [];
  const forms: { action: string; method: MarkupForm['method']; fields: MarkupField[] }[] = [];
  const links: OpenLink[] = [];
  const policies: string[] = [];
  let hasPasswordField = false;
  let declaresCharset = false;
  const referrerPolicies: string[] = [];
  let isFull = false;
  let ofFrames: string | null = null;
  const addresses = new PageAddresses(page.url);
  // XML elements can be self-closing and have prefixes, so HTML's rules may skip content that browsers show.
  const ofXml = isXml(mediaType(page)) ? 'The page is XML, which the scan reads as if it were HTML.' : null;
  /** The element that receives text now. */
  let link: OpenLink | null = null;
  let form: { fields: MarkupField[] } | null = null;
  let script: { readonly text: string[]; readonly list: string[] } | null = null;

  /** Browsers obey a policy only before the first element that ends the head. */
  let isHead = true;
  /** The open element of the head whose content does not end the head. */
  let headElement: { readonly name: string; depth: number } | null = null;

  const listOf = (attributes: Attributes) => {
    if (isRunnable(attributes)) return inlineScripts;
    if (isHeld(attributes)) return heldScripts;
    return attributes.type?.trim().toLowerCase() === 'importmap' ? importMaps : null;
  };
  const absolute = (reference: string | undefined): string | null =>
    addresses.resolve(reference?.trim())?.href ?? null;
  const add = <T>(list: T[], entry: T | null) => {
    if (entry === null) return;
    if (list.length < maxEntries) list.push(entry);
    else isFull = true;
  };
  const load = (element: string, url: string | null, active: boolean, attributes: Attributes) => {
    if (url === null) return;
    if (holdsDocument(element, url)) ofFrames = framesNotRead;
    const hasIntegrity = isHashed(attributes);
    const loads = element !== 'script' || isRunnable(attributes);
    add(resources, { element, url, active, hasIntegrity, loads });
  };
  const say = (text: string | undefined) => {
    if (text !== undefined && link !== null && link.text.length < maxText) {
      link.text += ` ${text.slice(0, maxText)}`;
    }
  };

  const endScript = () => {
    if (script !== null) add(script.list, script.text.join(''));
    script = null;
  };

  // A byte order mark at the start is not text; anywhere else it is, and ends the head.
  const ofTags = readTags(page.body.replace(/^\ufeff/, ''), {
    onOpen(name, attributes) {
      if (headElement === null && !headElements.has(name)) isHead = false;
      if (headElement === null) {
        if (headElements.get(name) === 'with content') headElement = { name, depth: 1 };
      } else if (headElement.name === name) headElement.depth += 1;
      const rule = Object.hasOwn(loading, name) ? loading[name] : undefined;
      const reference = name === 'script' ? sourceOf(attributes) : attributes[rule?.attribute ?? ''];
      if (rule !== undefined) load(name, absolute(reference), rule.active, attributes);
      for (const other of furtherSources(name, attributes)) load(name, absolute(other), false, attributes);
      if (attributes['ng-version'] !== undefined) angularVersions.add(attributes['ng-version']);
      if (name === 'base' && attributes.href !== undefined) addresses.setBase(attributes.href.trim());
      if (name === 'script') {
        const list = listOf(attributes);
        script = reference === undefined && list !== null ? { text: [], list } : null;
      }
      if (name === 'a' || name === 'area') {
        const url = absolute(attributes.href);
        link = url === null ? null : { url, text: '', givesOpener: givesOpener(attributes) };
        add(links, link);
      }
      say(attributes['aria-label']);
      say(attributes.title);
      if (name === 'img') say(attributes.alt);
      if (name === 'form') {
        const action = absolute(attributes.action);
        add(formActions, action);
        // Browsers ignore nested forms (HTML, 13.2.6.4.7), but not within a template, so fields count for
        // both.
        form = { fields: form?.fields ?? [] };
        add(forms, Object.assign(form, { action: action ?? page.url, method: methodOf(attributes) }));
      }
      if (name === 'input' || name === 'select' || name === 'textarea') {
        const field = fieldOf(name, attributes);
        if (field.type === 'password') hasPasswordField = true;
        add(form?.fields ?? loose, field);
      }
      if ((name === 'button' || name === 'input') && attributes.formaction !== undefined) {
        add(formActions, absolute(attributes.formaction));
      }
      if (name === 'link' && /\bstylesheet\b/i.test(attributes.rel ?? '')) {
        load('link', absolute(attributes.href), true, attributes);
      }
      if (name === 'meta') {
        const kind = (attributes['http-equiv'] ?? '').toLowerCase();
        const content = attributes.content ?? '';
        if (kind === 'content-security-policy' && isHead) add(policies, content);
        if (attributes.charset !== undefined || (kind === 'content-type' && /charset=/i.test(content))) {
          declaresCharset = true;
        }
        if (attributes.name?.toLowerCase() === 'referrer') add(referrerPolicies, content.toLowerCase());
      }
    },
    onText(text) {
      if (headElement === null && /[^\t\n\f\r ]/.test(text)) isHead = false;
      if (script !== null) script.text.push(text);
      else say(text);
    },
    onClose(name) {
      if (headElement === null) {
        if (endTagsOfBody.has(name)) isHead = false;
      } else if (headElement.name === name) {
        headElement.depth -= 1;
        if (headElement.depth === 0) headElement = null;
      }
      if (name === 'script') endScript();
      if (name === 'a' || name === 'area') link = null;
      if (name === 'form') form = null;
    },
  });
  // A page that was cut off may end within one.
  endScript();
  if (loose.length > 0) forms.push({ action: page.url, method: 'none', fields: loose });
  const ofSize = isFull ? 'The page has more links, scripts or other elements than the scan reads.' : null;
  const elementGap = page.body_truncated ? unreadReason('page') : (ofSize ?? ofXml ?? ofTags);
  return {
    resources,
    inlineScripts,
    importMaps,
    angularVersions: [...angularVersions],
    heldScripts,
    formActions,
    forms,
    hasPasswordField,
    links,
    policies,
    declaresCharset,
    referrerPolicies,
    elementGap,
    gap: elementGap ?? addresses.gap ?? ofFrames ?? ofBase(page, policies, addresses.base),
  };
}

/** A policy may block the base that the markup sets: then browsers resolve the page's URLs differently. */
function ofBase(page: HttpResponse, policies: readonly string[], base: string): string | null {
  if (originOf(base) === originOf(page.url)) return null;
  const all = separatePolicies([...headerValues(page, 'content-security-policy'), ...policies]);
  const allowing = [originOf(base), new URL(base).protocol, '*'];
  const isAllowed = all.every(policy => {
    const sources = directivesOf(policy).get('base-uri');
    return sources === undefined || sources.some(source => allowing.includes(source.replace(/\/$/, '')));
  });
  return isAllowed ? null : baseIsUnclear;
}

const baseIsUnclear = 'The page sets a base URL that its Content-Security-Policy may block.';

/** A link whose text may continue. */
type OpenLink = { -readonly [K in keyof MarkupLink]: MarkupLink[K] };
