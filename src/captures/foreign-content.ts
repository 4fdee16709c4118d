export type Namespace = 'html' | 'svg' | 'math';

interface OpenElement {
  readonly name: string;
  readonly namespace: Namespace;
  /** Direct children are parsed by HTML's rules (HTML, 13.2.6: integration points). */
  readonly isIntegrationPoint: boolean;
}

/**
 * The open elements of SVG and MathML, and the HTML elements within them: whether `<title>` begins raw text depends on
 * them, and `<title/>` is closed only there (HTML, 13.2.6.5). The cost of a tag does not depend on its depth.
 *
 * Supports properly nested elements, and SVG and MathML elements that are never closed. Anything else sets `isUnclear`.
 */
export class ForeignContent {
  readonly #open: OpenElement[] = [];
  /** Open elements by namespace and name. */
  readonly #counts = new Map<string, number>();
  /**
   * Every name that was opened in HTML so far, and those that browsers add: an end tag within SVG may close such an
   * element, and the SVG with it.
   */
  readonly #namesOfHtml = new Set(['html', 'head', 'body', 'colgroup', 'tbody', 'tr']);

  /** What browsers do here depends on state that the scan does not keep. */
  isUnclear = false;

  /** Whether a start tag here belongs to SVG or MathML, so that no raw text begins. */
  get isForeign(): boolean {
    const current = this.#open.at(-1);
    return current !== undefined && current.namespace !== 'html' && !current.isIntegrationPoint;
  }

  /** Whether `<![CDATA[` begins text rather than a comment. */
  get takesCdata(): boolean {
    const current = this.#open.at(-1);
    return current !== undefined && current.namespace !== 'html';
  }

  /**
   * @param isSelfClosing written as `<name/>`
   * @returns isClosed whether the element is already closed
   */
  enter(
    name: string,
    attributes: Readonly<Record<string, string>>,
    isSelfClosing: boolean,
  ): { namespace: Namespace; isClosed: boolean } {
    if (this.isForeign && isBreakout(name, attributes)) this.#leaveForeign();
    const namespace = this.#namespaceFor(name);
    if (namespace === 'html') {
      this.#namesOfHtml.add(name);
      // Outside SVG and MathML, no stack is needed.
      if (this.#open.length > 0 && !voidElements.has(name)) this.#push(name, namespace, false);
      return { namespace, isClosed: false };
    }
    if (!isSelfClosing) this.#push(name, namespace, isIntegrationPoint(name, namespace, attributes));
    return { namespace, isClosed: isSelfClosing };
  }

  /** @returns the namespace of the element that the end tag closes; HTML's if it closes none of SVG or MathML */
  leave(name: string): Namespace {
    const current = this.#open.at(-1);
    if (current === undefined) return 'html';
    if (current.name === name) {
      this.#pop();
      return current.namespace;
    }
    if (current.namespace === 'html') {
      // Whether the tag is ignored or closes other elements depends on HTML's insertion modes.
      if (!voidElements.has(name) && !this.#closesOptional(name)) this.isUnclear = true;
    } else if (name === 'p' || name === 'br') {
      this.#leaveForeign();
    } else if (this.#counts.has(`${current.namespace} ${name}`)) {
      this.#popUntil(name);
      return current.namespace;
    } else if (this.#namesOfHtml.has(name) || this.#counts.has(`${other(current.namespace)} ${name}`)) {
      this.isUnclear = true;
    }
    return 'html';
  }

  #namespaceFor(name: string): Namespace {
    const current = this.#open.at(-1);
    const byHtml =
      !this.isForeign ||
      (current?.namespace === 'math' && current.name === 'annotation-xml' && name === 'svg');
    const isMathText = current?.namespace === 'math' && mathText.has(current.name);
    if (current !== undefined && (!byHtml || (isMathText && (name === 'mglyph' || name === 'malignmark')))) {
      return current.namespace;
    }
    return name === 'svg' || name === 'math' ? name : 'html';
  }

  /** Closes elements up to an integration point, or all. */
  #leaveForeign(): void {
    while (this.isForeign) this.#pop();
  }

  /**
   * Closes an HTML element and the open elements within it if all of their end tags are optional; otherwise closes none
   * and returns false.
   */
  #closesOptional(name: string): boolean {
    if (this.isUnclear || !this.#counts.has(`html ${name}`)) return false;
    let at = this.#open.length - 1;
    const isOptional = ({ namespace, name }: OpenElement) => namespace === 'html' && optionalEnds.has(name);
    while (this.#open[at]!.name !== name && isOptional(this.#open[at]!)) at -= 1;
    if (this.#open[at]!.name !== name || this.#open[at]!.namespace !== 'html') return false;
    while (this.#open.length > at) this.#pop();
    return true;
  }

  /** Closes SVG and MathML elements up to the one with this name. */
  #popUntil(name: string): void {
    for (let current = this.#open.at(-1); current !== undefined; current = this.#open.at(-1)) {
      if (current.namespace === 'html') {
        this.isUnclear = true;
        return;
      }
      this.#pop();
      if (current.name === name) return;
    }
  }

  #push(name: string, namespace: Namespace, isPoint: boolean): void {
    const key = `${namespace} ${name}`;
    this.#open.push({ name, namespace, isIntegrationPoint: isPoint });
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  #pop(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const key = `${element.namespace} ${element.name}`;
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}

const other = (namespace: 'svg' | 'math') => (namespace === 'svg' ? 'math' : 'svg');

function isIntegrationPoint(
  name: string,
  namespace: 'svg' | 'math',
  attributes: Readonly<Record<string, string>>,
): boolean {
  if (namespace === 'svg') return ['foreignobject', 'desc', 'title'].includes(name);
  if (mathText.has(name)) return true;
  const encoding = attributes.encoding?.toLowerCase() ?? '';
  return name === 'annotation-xml' && ['text/html', 'application/xhtml+xml'].includes(encoding);
}

/** MathML's text elements (HTML, 13.2.4.2: MathML text integration points). */
const mathText = new Set(['mi', 'mo', 'mn', 'ms', 'mtext']);

/** Elements that are not allowed within SVG or MathML: their start tags close it (HTML, 13.2.6.5). */
function isBreakout(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (name === 'font')
    return ['color', 'face', 'size'].some(attribute => Object.hasOwn(attributes, attribute));
  return breakouts.has(name);
}

const breakouts = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol
  p pre ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/),
);

/** HTML elements with an optional end tag (HTML, 13.1.2.4). */
const optionalEnds = new Set(
  'p li dt dd option optgroup rb rt rtc rp caption colgroup thead tbody tfoot tr td th'.split(' '),
);

/** HTML elements without content and end tag. */
export const voidElements = new Set(
  `area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr`.split(
    /\s+/,
  ),
);

/** HTML elements whose namesakes in SVG and MathML do nothing. */
export const inertInForeign = new Set([
  ...['area', 'audio', 'base', 'button', 'form', 'frame', 'iframe', 'input', 'link', 'object', 'select'],
  ...['source', 'template', 'textarea', 'video'],
]);

/** Elements whose content is text up to their own end tag (HTML, 13.2.6). */
export const textElements = new Set([
  ...['iframe', 'noembed', 'noframes', 'plaintext', 'script', 'style', 'textarea', 'title', 'xmp'],
]);
