import { PageAddresses, parseUrl } from '../../../captures/page-addresses.ts';
import { formField, isMasked, parameterAt, pathSegment } from '../../../captures/places.ts';
import { readTags } from '../../../captures/read-tags.ts';
import { urlAt } from '../../../captures/url-at.ts';
import type { HttpResponse, PageScript } from '../../../captures/website.ts';
import { linkMayAct, marksMayAct } from './acting-words.ts';
import { isActing, isGuarded, longestMarks, marksOf } from './offers-of-page.ts';
import { scriptTexts } from './script-texts.ts';

/** A part of a request that the page offers, and that a scan may fill with a text. */
export interface OfferedPlace {
  /** Without its query. Of a path, its last part is a placeholder. */
  readonly url: string;
  readonly parameter: string;
  /** As the page offers it; empty if visitors fill it in. */
  readonly value: string;
  readonly request: (value: string) => {
    readonly url: URL;
    readonly method?: 'POST';
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/** Of each kind. */
const mostPlaces = 6;
const mostFields = 12;

/** A search changes nothing. Its path ends with the word, and its button says nothing else. */
const searchPath =
  /(?:search|find|suggest|autocomplete|such|recherch|busca|busqueda|cerca|zoek|pesquis)[\w-]{0,20}(?:\.\w{2,5})?\/?$/i;
const searchButton =
  /^\W{0,20}(?:(?:go|ok|submit|los|search|find|suchen?|finden|rechercher?|chercher|buscar|cerca|zoeken?|pesquisar|procurar)\W{0,20}){0,2}$/i;

/**
 * The parts of paths that look like an identifier or a file, and the fields of searches that are sent with POST: by forms, or as JSON by
 * scripts. Nothing whose words suggest an action.
 *
 * @param place a finding's locator, whose path is requested even if the page no longer links to it
 */
export function offeredPlaces(
  page: HttpResponse,
  scripts: readonly PageScript[],
  place: string | undefined,
): { readonly places: readonly OfferedPlace[]; readonly leftOut: string | null } {
  const found = new Map<string, OfferedPlace>();
  const counts = { path: 0, form: 0, json: 0 };
  const { origin } = new URL(page.url);
  const add = (kind: keyof typeof counts, one: OfferedPlace) => {
    const key = `${one.url} ${one.parameter}`;
    if (found.has(key) || isMasked(key)) return;
    counts[kind] += 1;
    if (counts[kind] <= mostPlaces) found.set(key, one);
  };
  const again = place === undefined || isMasked(place) ? null : parameterAt(place);
  if (again?.name === pathSegment && URL.canParse(again.url)) {
    const url = new URL(again.url);
    if (url.origin === origin && !linkMayAct(url, [])) add('path', inPath(url, '1'));
  }
  const { links, forms } = readPage(page);
  const own = links
    .filter(
      ({ url, caption, marks }) =>
        url.origin === origin && !linkMayAct(url, []) && !isActing(caption) && !marksMayAct(marks),
    )
    .map(({ url }) => url);
  for (const url of [...own.filter(hasValue), ...own.filter(hasName)]) add('path', inPath(url, lastOf(url)));
  for (const form of forms) if (form.url.origin === origin) for (const one of ofForm(form)) add('form', one);
  for (const one of inScripts(page, scripts)) if (new URL(one.url).origin === origin) add('json', one);
  const isCut = Object.values(counts).some(count => count > mostPlaces);
  const leftOut = `The scan tests only ${mostPlaces} paths, ${mostPlaces} forms and ${mostPlaces} calls with JSON of a page.`;
  return { places: [...found.values()], leftOut: isCut ? leftOut : null };
}

const lastOf = ({ pathname }: URL): string => pathname.slice(pathname.lastIndexOf('/') + 1);

/** A number, a UUID or the name of a file that a program may read. */
const hasValue = (url: URL): boolean =>
  /^(?:\d{1,12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{1,60}\.(?:txt|pdf|md|log|csv|docx?))$/i.test(
    lastOf(url),
  );

/** In a folder, a name may be an identifier too. */
const hasName = ({ pathname }: URL): boolean => /^(?:\/[\w-]{1,60}){2,4}$/.test(pathname);

function inPath(url: URL, value: string): OfferedPlace {
  const folder = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
  return {
    url: `${url.origin}${folder}*`,
    parameter: pathSegment,
    value,
    request: text => ({ url: urlAt(url.origin, folder + encodeURIComponent(text)) }),
  };
}

interface Link {
  readonly url: URL;
  caption: string;
  /** Classes and data of it and what is in it. */
  marks: string;
}

interface Form {
  readonly url: URL;
  readonly id: string | undefined;
  readonly fields: { readonly name: string; readonly value: string; readonly isHidden: boolean }[];
  /** All that it says. */
  words: string;
  /** What its buttons say. */
  buttons: string;
  isSafe: boolean;
}

function readPage(page: HttpResponse): { links: readonly Link[]; forms: readonly Form[] } {
  const addresses = new PageAddresses(page.url);
  const links: Link[] = [];
  const forms: Form[] = [];
  let form: Form | null = null;
  let link: Link | null = null;
  let isInButton = false;
  /** IDs of forms with buttons or fields elsewhere in the page, which may do something else. */
  const elsewhere = new Set<string>();
  readTags(page.body, {
    onOpen(element, attributes) {
      if (attributes.form !== undefined) elsewhere.add(attributes.form);
      if (element === 'a' && links.length < 2_000) {
        link = null;
        const href = attributes.href ?? '';
        const url = href.includes('?') || isGuarded(attributes) ? null : addresses.resolve(href);
        if (url === null || /\bnofollow\b/i.test(attributes.rel ?? '')) return;
        link = { url, caption: said(attributes, ['title', 'aria-label']), marks: marksOf(attributes) };
        links.push(link);
      } else if (element === 'form') {
        const url = addresses.resolve(attributes.action ?? '');
        const isPost = (attributes.method ?? '').trim().toLowerCase() === 'post';
        const isPlain = !/multipart|text\/plain/i.test(attributes.enctype ?? '');
        form =
          url !== null && isPost && isPlain
            ? {
                url,
                id: attributes.id,
                fields: [],
                words: '',
                buttons: '',
                isSafe: !isGuarded(attributes) && !hasHandler(attributes),
              }
            : null;
        if (form !== null) form.words = `${said(attributes, ['name', 'role'])} ${marksOf(attributes)}`;
      } else if (link !== null && link.marks.length < longestMarks) link.marks += ` ${marksOf(attributes)}`;
      if (element === 'img' && form !== null) form.buttons += ` ${attributes.alt ?? ''}`;
      if (form !== null && ['input', 'textarea', 'select', 'button'].includes(element)) {
        isInButton = element === 'button';
        if (isGuarded(attributes) || hasHandler(attributes) || attributes['aria-labelledby'] !== undefined)
          form.isSafe = false;
        const type = (attributes.type ?? (element === 'input' ? 'text' : element)).trim().toLowerCase();
        form.words += ` ${said(attributes, ['name', 'placeholder', 'formaction'])} ${marksOf(attributes)}`;
        if (type === 'submit' || type === 'button')
          form.buttons += ` ${element === 'input' ? (attributes.value ?? '') : ''} ${said(attributes, ['title', 'aria-label'])}`;
        if (!['text', 'search', 'hidden', 'submit', 'button'].includes(type)) form.isSafe = false;
        if (attributes.name === undefined || !['text', 'search', 'hidden'].includes(type)) return;
        const [name, value] = [attributes.name, attributes.value ?? ''];
        form.fields.push({ name, value, isHidden: type === 'hidden' });
      }
    },
    onText(text) {
      if (form !== null) form.words += ` ${text}`;
      if (isInButton && form !== null) form.buttons += ` ${text}`;
      if (link !== null && link.caption.length < 200) link.caption += text;
    },
    onClose(element) {
      if (element === 'a') link = null;
      if (element === 'button') isInButton = false;
      if (element !== 'form' || form === null) return;
      if (form.isSafe && form.fields.length <= mostFields && forms.length < 50) forms.push(form);
      form = null;
    },
  });
  return { links, forms: forms.filter(({ id }) => id === undefined || !elsewhere.has(id)) };
}

const said = (attributes: Readonly<Record<string, string>>, names: readonly string[]): string =>
  names.map(name => attributes[name] ?? '').join(' ');

/** Its scripts may do anything. */
const hasHandler = (attributes: Readonly<Record<string, string>>) =>
  Object.keys(attributes).some(name => name.startsWith('on'));

function ofForm({ url, fields, words, buttons }: Form): OfferedPlace[] {
  const visible = fields.filter(({ isHidden }) => !isHidden);
  const isSearch = searchPath.test(url.pathname) && searchButton.test(buttons);
  const sent = new URL(url);
  for (const { name, value } of fields) sent.searchParams.append(name, value);
  if (!isSearch || visible.length !== 1 || linkMayAct(sent, [words])) return [];
  const [{ name, value }] = visible as [Form['fields'][number]];
  return [
    {
      url: url.origin + url.pathname,
      parameter: formField(name),
      value,
      request: text => ({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(
          fields.map((field): [string, string] => [field.name, field.name === name ? text : field.value]),
        ).toString(),
      }),
    },
  ];
}

/** A call of `fetch` that sends JSON: its path, and the names of what it sends. */
const sendsJson =
  /\bfetch\(\s{0,8}(["'`])(\/[\w./-]{1,200})\1\s{0,4},\s{0,4}\{[^;]{0,300}?\bmethod\s{0,4}:\s{0,4}["'`]post["'`][^;]{0,300}?JSON\.stringify\(\s{0,4}\{([^(){};]{1,300})\}/gi;

function inScripts(page: HttpResponse, scripts: readonly PageScript[]): OfferedPlace[] {
  return scriptTexts(page, scripts).flatMap(text =>
    [...text.matchAll(sendsJson)].slice(0, 20).flatMap(([, , path, sent]): OfferedPlace[] => {
      const url = parseUrl(path!, page.url);
      const names = [...sent!.matchAll(/(?:^|,)\s{0,20}["']?([A-Za-z_]\w{0,40})["']?\s{0,4}(?=[:,]|$)/g)].map(
        ([, name]) => name!,
      );
      const [name] = names;
      if (url === null || name === undefined || names.length !== 1) return [];
      if (!searchPath.test(url.pathname) || linkMayAct(url, names)) return [];
      return [
        {
          url: url.href,
          parameter: formField(name),
          value: '',
          request: text => ({
            url,
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ [name]: text }),
          }),
        },
      ];
    }),
  );
}
