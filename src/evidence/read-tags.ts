import { Tokenizer } from 'htmlparser2';

type TagAttributes = Readonly<Record<string, string>>;

interface TagHandlers {
  /** @param name in lower case @param attributes names in lower case, values decoded, of a repeated one the first */
  onOpen(name: string, attributes: TagAttributes): void;
  onClose?(name: string): void;
  /** Text, decoded; also of scripts. It may come in pieces. */
  onText?(text: string): void;
}

/**
 * Reads the tags of an HTML document in their order, in time that grows with its length only. It keeps no tree and no
 * stack of open elements: a parser's takes minutes for a megabyte of elements that nobody closes.
 */
export function readTags(html: string, { onOpen, onClose, onText }: TagHandlers): void {
  let name = '';
  let attribute = '';
  let value = '';
  let attributes: Record<string, string> = {};
  const nameAt = (start: number, end: number) => {
    const text = html.slice(start, end).toLowerCase();
    return text === 'image' ? 'img' : text;
  };
  const open = () => onOpen(name, attributes);
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname(start, end) {
        name = nameAt(start, end);
        attributes = {};
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
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
      onopentagend: open,
      // HTML knows no such thing outside of SVG and MathML: the element is open.
      onselfclosingtag: open,
      onclosetag: (start, end) => onClose?.(nameAt(start, end)),
      ontext: (start, end) => onText?.(html.slice(start, end)),
      ontextentity: codePoint => onText?.(characterOf(codePoint)),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\ufffd';
}
