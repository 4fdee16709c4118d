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
 * Elements of `<noscript>` and `<template>` are read too, without `<base>` and `<meta>`, which do nothing there. What SVG has in
 * `href` is in `src` as well, as HTML's elements have it.
 *
 * So are the elements of a frame whose document stands in its `srcdoc`: browsers resolve their addresses as this document's.
 *
 * @returns why browsers may show other elements, in a sentence; null where they show these
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

const mostFrames = 100;
const tooManyFrames = 'The page has more frames with srcdoc, or deeper ones, than the scan reads.';

const ownBase = 'A frame with srcdoc sets a base URL of its own, which the scan does not read.';
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

  /** Has something read whose end tags end nothing outside, and which ends what it leaves open. */
  #readApart(
    read: (within: Reading) => void,
    isShown: (name: string, attributes: TagAttributes) => boolean = () => true,
  ): void {
    const open = new Map<string, number>();
    const within = new Reading({
      ...this.#handlers,
      onOpen: (name, attributes) => {
        // Its fields belong to a form of its own then.
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

  /** Reads the document of a frame that stands in its attribute. */
  #readFrame({ srcdoc = '', sandbox }: TagAttributes): void {
    // Where scripts run, it is text.
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

  /** Reads the content of a `<noscript>` element. */
  readNoscript(html: string): void {
    this.#readApart(within => {
      within.#isNoscript = true;
      within.read(html, true);
    });
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
        onOpen(shownName(name), shownAttributes(name, namespace, attributes));
        if (isClosed) onClose?.(shownName(name));
        if (name === 'iframe' && attributes.srcdoc) this.#readFrame(attributes);
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

/** Whether a script goes on behind its first end tag: it has `<script` in a comment (HTML, 13.2.5.27: double escaped). */
function goesOn(script: string): boolean {
  const comment = script.indexOf('<!--', script.lastIndexOf('-->') + 1);
  return comment !== -1 && /<script[\t\n\f\r />]/i.test(script.slice(comment));
}

const shownName = (name: string) => (name === 'image' || name === 'feimage' ? 'img' : name);

/**
 * SVG's elements name what they load or lead to in `href`, else in `xlink:href` (SVG 2, 5.4.1); `src` is nothing there. Nor is that
 * of a frame whose document stands in its `srcdoc`.
 */
function shownAttributes(name: string, namespace: Namespace, attributes: TagAttributes): TagAttributes {
  if (namespace !== 'svg' && (name !== 'iframe' || attributes.srcdoc === undefined)) return attributes;
  const { src: _, ...others } = attributes;
  const reference = namespace === 'svg' ? (others.href ?? others['xlink:href']) : undefined;
  return reference === undefined ? others : { ...others, href: reference, src: reference };
}

/** Only ASCII: other letters have forms in lower case that browsers do not know of. */
function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : name;
}

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\ufffd';
}
