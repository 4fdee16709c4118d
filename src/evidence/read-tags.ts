import { Tokenizer } from 'htmlparser2';
import { ForeignContent, type Namespace } from './foreign-content.ts';

type TagAttributes = Readonly<Record<string, string>>;

interface TagHandlers {
  /** @param name in lower case @param attributes names in lower case, values decoded, of a repeated one the first */
  onOpen(name: string, attributes: TagAttributes): void;
  /** Also of an element of SVG or MathML that closes itself. */
  onClose?(name: string): void;
  /** Text, decoded; also of scripts. It may come in pieces. */
  onText?(text: string): void;
}

/**
 * Reads the tags of an HTML document in their order, in time that grows with its length only. It keeps no tree and no
 * stack of all open elements: a parser's takes minutes for a megabyte of elements that nobody closes.
 *
 * Elements of `<noscript>` and `<template>` are read too, without `<base>` and `<meta>`, which do nothing there.
 *
 * @returns why browsers may show other elements, in a sentence; null where they show these
 */
export function readTags(html: string, handlers: TagHandlers): string | null {
  const reading = new Reading(handlers);
  let noscripts = 0;
  for (let at = 0; at < html.length; ) {
    const noscriptAt = reading.read(html.slice(at));
    if (noscriptAt === null) break;
    noscripts += 1;
    if (noscripts > mostNoscripts) {
      reading.gap ??= tooManyNoscripts;
      break;
    }
    // With scripting, a browser takes it for text up to its end tag, whatever begins in it. What begins in it ends there.
    const start = at + noscriptAt;
    noscriptEnd.lastIndex = start;
    at = noscriptEnd.exec(html)?.index ?? html.length;
    reading.readNoscript(html.slice(start, at));
    if (at === html.length) reading.gap ??= endsWithin;
  }
  return reading.gap;
}

const noscriptEnd = /<\/noscript(?=[\t\n\f\r />])/gi;

/** Each is read by tokenizers of its own. */
const mostNoscripts = 1_000;
const tooManyNoscripts = 'The page has more noscript elements than the scan reads.';

const endsWithin = 'The page ends within a tag, a comment or an element of text.';
const isUnclear = 'The page has malformed markup that browsers may read differently.';

class Reading {
  gap: string | null = null;
  readonly #handlers: TagHandlers;
  readonly #foreign = new ForeignContent();
  #templates = 0;
  #isNoscript = false;
  #isInForm = false;
  #isInSelect = false;
  #isInFrameset = false;

  constructor(handlers: TagHandlers) {
    this.#handlers = handlers;
  }

  /** Reads the content of a `<noscript>` element. */
  readNoscript(html: string): void {
    const within = new Reading({
      ...this.#handlers,
      onOpen: (name, attributes) => {
        if (name === 'form' && this.#isInForm) this.gap ??= isUnclear;
        this.#handlers.onOpen(name, attributes);
      },
      // An end tag in it ends nothing outside.
      onClose: name => (name !== 'form' || within.#isInForm) && this.#handlers.onClose?.(name),
    });
    within.#isNoscript = true;
    within.read(html, true);
    if (within.#isInForm) this.#handlers.onClose?.('form');
  }

  /**
   * @param isNoscript it is the content of a `<noscript>` element
   * @returns where the content of the first `<noscript>` element begins, which was not read; null when all was read
   */
  read(html: string, isNoscript = false): number | null {
    const { onOpen, onClose, onText } = this.#handlers;
    const foreign = this.#foreign;
    let name = '';
    let attribute = '';
    let value = '';
    let attributes: Record<string, string> = {};
    /** The open element of text, and where its text begins. */
    let raw: { readonly name: string; readonly start: number } | null = null;
    let noscriptAt: number | null = null;
    let endsInText = false;
    const open = (index: number, isSelfClosing: boolean) => {
      if (index >= html.length) return;
      const isForeign = foreign.isForeign;
      const { namespace, isClosed } = foreign.enter(name, attributes, isSelfClosing);
      if (namespace === 'html') this.#enterHtml(name);
      if (!isForeign && this.#mayIgnore(name)) this.#doubt();
      if (this.#isShown(name, namespace)) {
        onOpen(shownName(name), attributes);
        if (isClosed) onClose?.(shownName(name));
      }
      // Whether raw text begins was decided before the tag's name was known.
      if (isForeign) return;
      if (textElements.has(name)) raw = { name, start: index + 1 };
      if (name === 'noscript' && !isNoscript) {
        noscriptAt = index + 1;
        tokenizer.pause();
      }
    };
    const close = (start: number, end: number) => {
      if (end > html.length) return;
      const closed = lowerCase(html.slice(start, end));
      // Browsers read attributes there, so that a quoted `>` does not end the tag.
      if (html[end] !== '>' && /=\s*["']/.test(html.slice(end, html.indexOf('>', end) + 1))) this.#doubt();
      if (raw !== null) {
        // The tokenizer takes two control characters for `<` and `/` there.
        if (html.slice(start - 2, start) !== '</') this.#doubt();
        if (raw.name === 'script' && goesOn(html.slice(raw.start, start - 2))) this.#doubt();
        raw = null;
      }
      const namespace = foreign.leave(closed);
      if (namespace === 'html') this.#leaveHtml(closed);
      if (this.#isShown(closed, namespace)) onClose?.(shownName(closed));
    };
    const nothing = () => {};
    const tokenizer = new Tokenizer(
      {},
      {
        isInForeignContext: () => foreign.isForeign,
        onopentagname: (start, end) => {
          name = lowerCase(html.slice(start, end));
          attributes = {};
          endsInText = start > html.length;
        },
        onattribname(start, end) {
          attribute = lowerCase(html.slice(start, end));
          value = '';
        },
        onattribdata(start, end) {
          value += html.slice(start, end);
        },
        onattribentity(codePoint) {
          value += characterOf(codePoint);
        },
        onattribend() {
          if (!Object.hasOwn(attributes, attribute)) attributes[attribute] = value;
        },
        onopentagend: index => open(index, false),
        // The tokenizer means `/ >` too, which browsers do not. HTML's own elements are open all the same.
        onselfclosingtag: index => open(index, html[index - 1] === '/'),
        onclosetag: close,
        ontext: (start, end) => onText?.(html.slice(start, end)),
        ontextentity: codePoint => onText?.(characterOf(codePoint)),
        oncdata: (start, end, offset) => {
          const text = html.slice(start, end - offset);
          if (foreign.takesCdata) onText?.(text);
          // In HTML it is a comment, which ends sooner.
          else if (text.includes('>')) this.#doubt();
        },
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
        onend: nothing,
      },
    );
    tokenizer.write(html);
    if (noscriptAt !== null) return noscriptAt;
    // A tag behind the end shows whether one would be seen there.
    tokenizer.write(tagBehindEnd);
    tokenizer.end();
    if (!endsInText) this.gap ??= endsWithin;
    if (isNoscript && raw !== null) onClose?.((raw as { name: string }).name);
    if (foreign.isUnclear) this.#doubt();
    return null;
  }

  #doubt(): void {
    this.gap ??= isUnclear;
  }

  #enterHtml(name: string): void {
    if (name === 'template') this.#templates += 1;
    if (name === 'form') this.#isInForm = true;
    if (name === 'frameset') this.#isInFrameset = true;
    if (name === 'select') this.#isInSelect = !this.#isInSelect;
    if (name === 'input' || name === 'textarea') this.#isInSelect = false;
  }

  /** Whether browsers, or some of them, ignore such a tag here and take what follows for HTML's markup. */
  #mayIgnore(name: string): boolean {
    if (this.#isInFrameset && (name === 'base' || name === 'meta')) return true;
    if (!textElements.has(name) && !['noscript', 'svg', 'math'].includes(name)) return false;
    return (this.#isInFrameset && name !== 'noframes') || (this.#isInSelect && name !== 'script');
  }

  #isShown(name: string, namespace: Namespace): boolean {
    if (namespace !== 'html') return !inertInForeign.has(name);
    return (this.#templates === 0 && !this.#isNoscript) || (name !== 'base' && name !== 'meta');
  }

  #leaveHtml(name: string): void {
    if (name === 'template') this.#templates = Math.max(0, this.#templates - 1);
    if (name === 'form') this.#isInForm = false;
    if (name === 'select') this.#isInSelect = false;
  }
}

const tagBehindEnd = '<z>';

/** Elements whose content is text up to their own end tag (HTML, 13.2.6). */
const textElements = new Set([
  ...['iframe', 'noembed', 'noframes', 'plaintext', 'script', 'style', 'textarea', 'title', 'xmp'],
]);

/** Elements of HTML whose namesakes in SVG and MathML do nothing. */
const inertInForeign = new Set([
  ...['area', 'audio', 'base', 'button', 'form', 'frame', 'iframe', 'input', 'link', 'object', 'select'],
  ...['source', 'template', 'textarea', 'video'],
]);

/** Whether a script goes on behind its first end tag: it has `<script` in a comment (HTML, 13.2.5.27: double escaped). */
function goesOn(script: string): boolean {
  const comment = script.indexOf('<!--', script.lastIndexOf('-->') + 1);
  return comment !== -1 && /<script[\t\n\f\r />]/i.test(script.slice(comment));
}

const shownName = (name: string) => (name === 'image' ? 'img' : name);

/** Only ASCII: other letters have forms in lower case that browsers do not know of. */
function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : name;
}

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\ufffd';
}
