import { Tokenizer } from 'htmlparser2';
import {
  ForeignContent,
  inertInForeign,
  type Namespace,
  textElements,
  voidElements,
} from './foreign-content.ts';

type TagAttributes = Readonly<Record<string, string>>;

interface TagHandlers {
  /** @param name in lowercase @param attributes names in lowercase, values decoded; of repeated ones the first */
  onOpen(name: string, attributes: TagAttributes): void;
  /** Also called for an SVG or MathML element that closes itself. */
  onClose?(name: string): void;
  /** Decoded text, including that of scripts. It may come in several calls. */
  onText?(text: string): void;
}

/**
 * Reads the tags of an HTML document in order, in time linear in its length. It keeps no tree and no stack of all open
 * elements: a parser's takes minutes for a megabyte of elements that are never closed.
 *
 * Elements of `<noscript>` and `<template>` are read too, without `<base>` and `<meta>`, which have no effect there. An
 * SVG element's `href` is also in `src`, as for HTML elements.
 *
 * The elements of a frame's `srcdoc` document are read as well: browsers resolve their URLs against this document.
 *
 * @returns why browsers may find other elements, in a sentence; null if they find the same ones
 */
export function readTags(html: string, handlers: TagHandlers): string | null {
  return readDocument(html, new Reading(handlers));
}

function readDocument(html: string, reading: Reading): string | null {
  let noscripts = 0;
  for (let at = 0; at < html.length; ) {
    const noscriptAt = reading.read(html.slice(at));
    if (noscriptAt === null) break;
    noscripts += 1;
    if (noscripts > mostNoscripts) {
      reading.gap ??= tooManyNoscripts;
      break;
    }
    // With scripting, browsers treat the content as text, so nothing that begins in it extends beyond its end tag.
    const start = at + noscriptAt;
    noscriptEnd.lastIndex = start;
    at = noscriptEnd.exec(html)?.index ?? html.length;
    reading.readNoscript(html.slice(start, at));
    if (at === html.length) reading.gap ??= endsWithin;
  }
  return reading.gap;
}

const noscriptEnd = /<\/noscript(?=[\t\n\f\r />])/gi;

/** Each is read by its own tokenizers. */
const mostNoscripts = 1_000;
const tooManyNoscripts = 'The page has more noscript elements than the scan reads.';

const mostFrames = 100;
const tooManyFrames = 'The page has more frames with srcdoc, or deeper ones, than the scan reads.';

const ownBase = 'A frame with srcdoc sets its own base URL, which the scan does not read.';
const endsWithin = 'The page ends within a tag, a comment or an element of text.';
const isUnclear = 'The page has malformed markup that browsers may read differently.';

class Reading {
  gap: string | null = null;
  readonly #handlers: TagHandlers;
  readonly #foreign = new ForeignContent();
  #templates = 0;
  #frames = 0;
  #isFrame = false;
  #isNoscript = false;
  #isInForm = false;
  #isInSelect = false;
  #isInFrameset = false;

  constructor(handlers: TagHandlers) {
    this.#handlers = handlers;
  }

  /** Reads nested markup whose end tags close nothing outside, and which closes everything that it leaves open. */
  #readApart(
    read: (within: Reading) => void,
    isShown: (name: string, attributes: TagAttributes) => boolean = () => true,
  ): void {
    const open = new Map<string, number>();
    const within = new Reading({
      ...this.#handlers,
      onOpen: (name, attributes) => {
        // In a nested form, its fields would belong to that form.
        if (name === 'form' && this.#isInForm) this.#doubt();
        if (!isShown(name, attributes)) return;
        if (!voidElements.has(name)) open.set(name, (open.get(name) ?? 0) + 1);
        this.#handlers.onOpen(name, attributes);
      },
      onClose: name => {
        const left = open.get(name) ?? 0;
        if (left === 0) return;
        open.set(name, left - 1);
        this.#handlers.onClose?.(name);
      },
    });
    read(within);
    for (const [name, left] of open) {
      for (let count = 0; count < left; count++) this.#handlers.onClose?.(name);
    }
  }

  /** Reads the document in a frame's `srcdoc` attribute. */
  #readFrame({ srcdoc = '', sandbox }: TagAttributes): void {
    // With scripting, the content of `<noscript>` is text.
    if (this.#isNoscript) return;
    this.#frames += 1;
    if (this.#isFrame || this.#frames > mostFrames) {
      this.gap ??= tooManyFrames;
      return;
    }
    const runsScripts = sandbox === undefined || /allow-scripts/i.test(sandbox);
    const isShown = (name: string, { href }: TagAttributes) => {
      if (name === 'base' && href !== undefined) this.gap ??= ownBase;
      return name !== 'base' && name !== 'meta' && (name !== 'script' || runsScripts);
    };
    this.#readApart(within => {
      within.#isFrame = true;
      const gap = readDocument(srcdoc, within);
      this.gap ??= gap;
    }, isShown);
  }

  readNoscript(html: string): void {
    this.#readApart(within => {
      within.#isNoscript = true;
      within.read(html, true);
    });
  }

  /**
   * @param isNoscript `html` is the content of a `<noscript>` element
   * @returns where the content of the first `<noscript>` element begins, which was not read; null if all was read
   */
  read(html: string, isNoscript = false): number | null {
    const { onOpen, onClose, onText } = this.#handlers;
    const foreign = this.#foreign;
    let name = '';
    let attribute = '';
    let value = '';
    let attributes: Record<string, string> = {};
    /** The open raw text element, and where its text begins. */
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
        onOpen(shownName(name), shownAttributes(name, namespace, attributes));
        if (isClosed) onClose?.(shownName(name));
        if (name === 'iframe' && attributes.srcdoc) this.#readFrame(attributes);
      }
      // The tokenizer decided on raw text before it knew the tag's name.
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
      // Browsers read attributes in end tags, so that a quoted `>` does not end the tag.
      if (html[end] !== '>' && /=\s*["']/.test(html.slice(end, html.indexOf('>', end) + 1))) this.#doubt();
      if (raw !== null) {
        // The tokenizer accepts two control characters as `<` and `/` there.
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
        // The tokenizer also reports `/ >`, which does not self-close in browsers. HTML elements stay open anyway.
        onselfclosingtag: index => open(index, html[index - 1] === '/'),
        onclosetag: close,
        ontext: (start, end) => onText?.(html.slice(start, end)),
        ontextentity: codePoint => onText?.(characterOf(codePoint)),
        oncdata: (start, end, offset) => {
          const text = html.slice(start, end - offset);
          if (foreign.takesCdata) onText?.(text);
          // In HTML it is a comment, which ends earlier.
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
    // Appending a tag shows whether it would be recognized at the end.
    tokenizer.write('<z>');
    tokenizer.end();
    if (!endsInText) this.gap ??= endsWithin;
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

  /** Whether some browsers ignore such a tag here and read its content as markup. */
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

/** Whether a script with `<script` in a comment continues after its first end tag (HTML, 13.2.5.27: double escaped). */
function goesOn(script: string): boolean {
  const comment = script.indexOf('<!--', script.lastIndexOf('-->') + 1);
  return comment !== -1 && /<script[\t\n\f\r />]/i.test(script.slice(comment));
}

const shownName = (name: string) => (name === 'image' || name === 'feimage' ? 'img' : name);

/**
 * SVG elements have their URL in `href`, else in `xlink:href` (SVG 2, 5.4.1); `src` has no effect there, nor does it on
 * a frame with `srcdoc`.
 */
function shownAttributes(name: string, namespace: Namespace, attributes: TagAttributes): TagAttributes {
  if (namespace !== 'svg' && (name !== 'iframe' || attributes.srcdoc === undefined)) return attributes;
  const { src: _, ...others } = attributes;
  const reference = namespace === 'svg' ? (others.href ?? others['xlink:href']) : undefined;
  return reference === undefined ? others : { ...others, href: reference, src: reference };
}

/** Only ASCII: browsers do not lowercase other letters. */
function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : name;
}

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\ufffd';
}
