import { PageAddresses } from '../../../captures/page-addresses.ts';
import { readTags } from '../../../captures/read-tags.ts';
import type { HttpResponse } from '../../../captures/website.ts';
import { captionMayAct, labelMayAct, linkMayAct, marksMayAct } from './acting-words.ts';

/** Links and forms that are searched for parameters, characters of one that is requested, and fields of a form. */
const maxOffered = 2_000;
const maxAskedLength = 2_048;
const maxFields = 100;

/** Characters of a link's text up to which it is a caption, rather than the title of what it leads to. */
const longestCaption = 40;

/** Characters of what a link and its icons say of themselves in attributes. */
export const longestMarks = 500;

export interface Candidate {
  readonly url: URL;
  /** Parameters that are tested; the others keep their values. */
  readonly names: readonly string[];
}

type Attributes = Readonly<Record<string, string>>;

/** A link or a form, with the texts beside its URL that say what it does. */
interface Offer {
  readonly candidate: Candidate;
  readonly mayAct: () => boolean;
}

interface Form {
  readonly url: URL;
  readonly names: string[];
  readonly hidden: [string, string][];
  readonly texts: string[];
  readonly id: string | undefined;
  isSafe: boolean;
}

/** Links with a query and GET forms, up to the limits, without those whose words suggest an action. */
export function offersOfPage(
  page: HttpResponse,
  origin: string,
): { candidates: readonly Candidate[]; leftOut: string | null } {
  const found: Offer[] = [];
  const addresses = new PageAddresses(page.url);
  /** By ID of a form: texts of its buttons and fields elsewhere in the page. */
  const textsElsewhere = new Map<string, string[]>();
  /** The same, read once: many forms may have one ID. */
  const readElsewhere = new Map<string, boolean>();
  const actsElsewhere = (id: string): boolean => {
    const known = readElsewhere.get(id) ?? labelMayAct((textsElsewhere.get(id) ?? []).join(' '));
    readElsewhere.set(id, known);
    return known;
  };
  let form: Form | null = null;
  let link: { text: string; marks: string } | null = null;
  let button: string[] | null = null;
  let leftOut: string | null = null;
  const offer = (candidate: Candidate, mayAct: () => boolean) => {
    if (candidate.url.origin !== origin) return;
    if (candidate.url.href.length > maxAskedLength)
      leftOut ??= 'The page links to URLs that are too long to request.';
    else if (found.length < maxOffered) found.push({ candidate, mayAct });
    else leftOut ??= 'The page has more links with a query than the scan compares.';
  };
  const openLink = (attributes: Attributes) => {
    link = null;
    const mayFollow = attributes.href?.includes('?') && !/\bnofollow\b/i.test(attributes.rel ?? '');
    const url = mayFollow ? addresses.resolve(attributes.href) : null;
    if (url === null || isGuarded(attributes)) return;
    const caption = {
      text: ` ${attributes.title ?? ''} ${attributes['aria-label'] ?? ''} `,
      marks: marksOf(attributes),
    };
    link = caption;
    offer(
      { url, names: [...new Set(url.searchParams.keys())] },
      () => isActing(caption.text) || marksMayAct(caption.marks),
    );
  };
  const openForm = (attributes: Attributes) => {
    const url = addresses.resolve(attributes.action ?? '');
    const isGet = (attributes.method ?? 'get').trim().toLowerCase() === 'get';
    const { id, name = '', title = '', 'aria-label': label = '' } = attributes;
    const texts = [id ?? '', name, title, label];
    form =
      url !== null && isGet
        ? { url, names: [], hidden: [], texts, id, isSafe: !isGuarded(attributes) }
        : null;
    if (form !== null) form.url.search = '';
  };
  /** Where the texts of a button or field belong: the form that it names, or the one around it. */
  const textsFor = ({ form: id }: Attributes): string[] | null => {
    if (id === undefined) return form?.texts ?? null;
    const texts = textsElsewhere.get(id) ?? [];
    textsElsewhere.set(id, texts);
    return texts;
  };
  const addField = (element: string, attributes: Attributes) => {
    if (form === null || attributes.name === undefined || attributes.form !== undefined) return;
    if (form.names.length + form.hidden.length >= maxFields) {
      leftOut ??= 'A form of the page has more fields than the scan fills in.';
      form.isSafe = false;
    }
    if (element === 'textarea') form.names.push(attributes.name);
    if (element !== 'input') return;
    const type = typeOf(attributes);
    if (typed.includes(type)) form.names.push(attributes.name);
    else if (type === 'hidden') form.hidden.push([attributes.name, attributes.value ?? '']);
    else if (type === 'password' || type === 'file') form.isSafe = false;
  };
  const ofTags = readTags(page.body, {
    onOpen(element, attributes) {
      if (element === 'a') return openLink(attributes);
      if (element === 'form') return openForm(attributes);
      if (link !== null && link.marks.length < longestMarks) link.marks += ` ${marksOf(attributes)}`;
      if (element === 'legend' || element === 'label') button = form?.texts ?? null;
      if (element === 'img') form?.texts.push(attributes.alt ?? '');
      if (!['button', 'input', 'select', 'textarea'].includes(element)) return;
      const texts = textsFor(attributes);
      texts?.push(...textsOf(element, attributes));
      if (element === 'button') button = typeOf(attributes) === 'reset' ? null : texts;
      if (isGuarded(attributes) && form !== null) form.isSafe = false;
      addField(element, attributes);
    },
    onText(text) {
      if (link !== null && link.text.length <= longestCaption) link.text += text;
      button?.push(text);
    },
    onClose(element) {
      if (element === 'a') link = null;
      if (['button', 'legend', 'label'].includes(element)) button = null;
      if (element !== 'form' || form === null) return;
      const { url, names, hidden, texts, id, isSafe } = form;
      form = null;
      if (!isSafe) return;
      url.search = new URLSearchParams(hidden).toString();
      offer({ url, names }, () => labelMayAct(texts.join(' ')) || (id !== undefined && actsElsewhere(id)));
    },
  });
  const candidates = found
    .filter(
      ({ candidate: { url, names }, mayAct }) => names.length > 0 && !linkMayAct(url, names) && !mayAct(),
    )
    .map(({ candidate }) => candidate);
  return { candidates, leftOut: leftOut ?? addresses.gap ?? ofTags };
}

/** Whether a link's text names an action. Of a text too long for a caption, the first word counts. */
export function isActing(caption: string): boolean {
  const text = caption.trim();
  return captionMayAct(text.length <= longestCaption ? text : text.split(/\s/, 1)[0]!);
}

/** What an element says of itself beside its text: classes, icons and data for scripts. */
export function marksOf(attributes: Attributes): string {
  const data = Object.entries(attributes).filter(([name]) => name.startsWith('data-'));
  const { id = '', class: classes = '', alt = '', title = '', 'aria-label': label = '' } = attributes;
  return [id, classes, alt, title, label, ...data.map(([, value]) => value)].join(' ').slice(0, longestMarks);
}

const typed = ['text', 'search', 'url', 'tel', 'email'];
const typeOf = ({ type }: Attributes) => (type ?? 'text').trim().toLowerCase();

/** What a button or field says of its form, without the text that a visitor typed. */
function textsOf(element: string, attributes: Attributes): string[] {
  const {
    name = '',
    title = '',
    alt = '',
    formaction = '',
    'aria-label': label = '',
    value = '',
  } = attributes;
  const type = typeOf(attributes);
  if (element === 'input' && type === 'reset') return [];
  const isTyped = element === 'textarea' || (element === 'input' && typed.includes(type));
  return [name, title, alt, formaction, label, ...(isTyped ? [] : [value])];
}

/** Whether a page lets visitors confirm it first, or sends it with another method. */
export function isGuarded(attributes: Attributes): boolean {
  const handlers = `${attributes.onclick ?? ''} ${attributes.onsubmit ?? ''}`;
  return /\bconfirm\b/i.test(handlers) || guards.some(name => attributes[name] !== undefined);
}

const guards = [
  ...['data-method', 'data-confirm', 'data-turbo-method', 'data-turbo-confirm'],
  ...['hx-confirm', 'hx-delete', 'hx-patch', 'hx-post', 'hx-put', 'wire:click', 'wire:confirm'],
];
