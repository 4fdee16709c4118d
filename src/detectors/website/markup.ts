import { isXml } from '../../evidence/media-type.ts';
import { PageAddresses } from '../../evidence/page-addresses.ts';
import { readTags } from '../../evidence/read-tags.ts';
import { isHeld, isRunnable, sourceOf } from '../../evidence/script-element.ts';
import type { HttpResponse } from '../../evidence/website.ts';
import { mediaType } from './response.ts';

interface MarkupResource {
  readonly element: string;
  /** Absolute URL. */
  readonly url: string;
  /** It can change the page (scripts, styles, frames, plugins), unlike images and media. */
  readonly active: boolean;
  /** It has a hash that browsers compare (Subresource Integrity). */
  readonly hasIntegrity: boolean;
  /** It is loaded as it stands: not a script of a type that browsers do not run, as consent tools set it. */
  readonly loads: boolean;
}

interface MarkupLink {
  /** Absolute URL. */
  readonly url: string;
  /** What it says: its text, or the text that stands for an icon. At most 200 characters. */
  readonly text: string;
  /** It opens a window and gives that window a handle to this one. */
  readonly givesOpener: boolean;
}

export interface MarkupField {
  /** `name`, else `id`; as written. */
  readonly name: string;
  /** `text` where the element does not say. In lower case. */
  readonly type: string;
  /** Tokens of the autocomplete attribute, in lower case. */
  readonly autocomplete: readonly string[];
}

export interface MarkupForm {
  /** Absolute URL that it sends to. */
  readonly action: string;
  /** `none` where the markup does not say how it is sent: only scripts do. */
  readonly method: 'get' | 'post' | 'none';
  readonly fields: readonly MarkupField[];
}

/** What detectors need of a document's markup. */
export interface Markup {
  readonly resources: readonly MarkupResource[];
  /** Scripts within the document that run, their text. */
  readonly inlineScripts: readonly string[];
  /** Scripts within the document that a consent tool runs when the visitor agrees, their text. */
  readonly heldScripts: readonly string[];
  /** Absolute URLs that forms send to. */
  readonly formActions: readonly string[];
  /** Fields outside of any form are in one of method `none`. */
  readonly forms: readonly MarkupForm[];
  readonly hasPasswordField: boolean;
  readonly links: readonly MarkupLink[];
  /** Policies from `<meta http-equiv="Content-Security-Policy">` in the head: browsers ignore others. */
  readonly policies: readonly string[];
  readonly declaresCharset: boolean;
  /** From `<meta name="referrer">`. */
  readonly referrerPolicy: string | null;
  /** Why not all of the page is here, in a sentence: it was cut off, has more of something than is kept, or browsers may read it
   * differently. Null: it is. */
  readonly gap: string | null;
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

/** Elements that may stand in a head, or around it. */
const headElements = new Map<string, 'empty' | 'with content'>([
  ...['html', 'head', 'base', 'basefont', 'bgsound', 'link', 'meta'].map(name => [name, 'empty'] as const),
  ...['noframes', 'noscript', 'script', 'style', 'template', 'title'].map(
    name => [name, 'with content'] as const,
  ),
]);

/** End tags behind which a body has begun, whatever they end (HTML, 13.2.6.4.4). */
const endTagsOfBody = new Set(['body', 'br', 'html']);

const maxEntries = 2_000;
const maxText = 200;

const read = new WeakMap<HttpResponse, Markup>();

/** Reads a document once for all detectors, in time that grows with its length only. */
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
  const formActions: string[] = [];
  const loose: MarkupField[] = [];
  const forms: { action: string; method: MarkupForm['method']; fields: MarkupField[] }[] = [];
  const links: OpenLink[] = [];
  const policies: string[] = [];
  let hasPasswordField = false;
  let declaresCharset = false;
  let referrerPolicy: string | null = null;
  let isCut = page.body_truncated;
  const addresses = new PageAddresses(page.url);
  // Elements close themselves and have prefixes there, so that HTML's rules may skip what browsers show.
  const ofXml = isXml(mediaType(page)) ? 'The page is XML, which the scan reads as if it were HTML.' : null;
  /** Where text goes at the moment. */
  let link: OpenLink | null = null;
  let form: { fields: MarkupField[] } | null = null;
  let script: { readonly text: string[]; readonly list: string[] } | null = null;

  /** Browsers obey a policy only while nothing but elements of the head has come. */
  let isHead = true;
  /** The open element of the head whose content does not end the head. */
  let headElement: { readonly name: string; depth: number } | null = null;

  const absolute = (reference: string | undefined): string | null =>
    addresses.resolve(reference?.trim())?.href ?? null;
  const add = <T>(list: T[], entry: T | null) => {
    if (entry === null) return;
    if (list.length < maxEntries) list.push(entry);
    else isCut = true;
  };
  const load = (element: string, url: string | null, active: boolean, attributes: Attributes) => {
    if (url === null) return;
    const hasIntegrity = /\bsha(?:256|384|512)-/.test(attributes.integrity ?? '');
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

  const ofTags = readTags(page.body, {
    onOpen(name, attributes) {
      if (headElement === null && !headElements.has(name)) isHead = false;
      if (headElement === null) {
        if (headElements.get(name) === 'with content') headElement = { name, depth: 1 };
      } else if (headElement.name === name) headElement.depth += 1;
      const rule = Object.hasOwn(loading, name) ? loading[name] : undefined;
      const reference = name === 'script' ? sourceOf(attributes) : attributes[rule?.attribute ?? ''];
      if (rule !== undefined) load(name, absolute(reference), rule.active, attributes);
      for (const other of furtherSources(name, attributes)) load(name, absolute(other), false, attributes);
      if (name === 'base' && attributes.href !== undefined) addresses.setBase(attributes.href.trim());
      if (name === 'script') {
        const list = isRunnable(attributes) ? inlineScripts : isHeld(attributes) ? heldScripts : null;
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
        // Browsers ignore a form within another (HTML, 13.2.6.4.7), but one within a template is none: the fields count for both.
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
        if (attributes.name?.toLowerCase() === 'referrer') referrerPolicy = content;
      }
    },
    onText(text) {
      if (headElement === null && /[^\t\n\f\r \ufeff]/.test(text)) isHead = false;
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
  return {
    resources,
    inlineScripts,
    heldScripts,
    formActions,
    forms,
    hasPasswordField,
    links,
    policies,
    declaresCharset,
    referrerPolicy,
    gap: isCut ? 'The page is larger than the scan reads.' : (addresses.gap ?? ofXml ?? ofTags),
  };
}

type Attributes = Readonly<Record<string, string>>;

/** A link whose text may still go on. */
type OpenLink = { -readonly [K in keyof MarkupLink]: MarkupLink[K] };

/** Pictures that are loaded by other attributes than `src`. */
function furtherSources(name: string, attributes: Attributes): readonly string[] {
  if (name === 'video' && attributes.poster !== undefined) return [attributes.poster];
  if (name !== 'img' && name !== 'source') return [];
  const candidates = (attributes.srcset ?? '').split(',', 20);
  return candidates.map(text => text.trim().split(/\s/, 1)[0] ?? '').filter(source => source !== '');
}

/** Only an explicit `opener`: browsers have taken `_blank` for `noopener` since 2021. */
function givesOpener({ target, rel }: Attributes): boolean {
  const relations = (rel ?? '').toLowerCase().split(/\s+/, 20);
  return target?.toLowerCase() === '_blank' && relations.includes('opener');
}

function methodOf({ method, action }: Attributes): MarkupForm['method'] {
  const value = method?.trim().toLowerCase();
  if (value === 'post') return 'post';
  if (value === 'dialog') return 'none';
  // Frameworks that send a form by script write neither; browsers would send such a form with GET.
  return value === undefined && action === undefined ? 'none' : 'get';
}

function fieldOf(element: string, attributes: Attributes): MarkupField {
  return {
    name: (attributes.name || attributes.id || '').slice(0, maxText),
    type: element === 'input' ? (attributes.type ?? 'text').trim().toLowerCase() : element,
    autocomplete: (attributes.autocomplete ?? '').toLowerCase().split(/\s+/, 10),
  };
}
