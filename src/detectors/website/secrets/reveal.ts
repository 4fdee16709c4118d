/** Text that is encoded in another one, which is searched in turn. */
export interface Revelation {
  readonly anchors: readonly string[];
  readonly within?: true;
  /** Sticky, from the anchor on, with bounded quantifiers. */
  readonly pattern: RegExp;
  /** The hidden text, and where to go on in the other; null if there is none. */
  reveal(match: RegExpExecArray): { readonly text: string; readonly end: number } | null;
}

const escapes = /\\u00([2-7][\da-f])|\\x([2-7][\da-f])|&(amp|quot|#x2f|#47|#34|#39|#x27|#38);/gi;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  '#38': '&',
  quot: '"',
  '#34': '"',
  '#39': "'",
  '#x27': "'",
  '#x2f': '/',
  '#47': '/',
};

/**
 * A text without the escapes that serializers write for plain characters: `\u002F`, `\x2d`, `&quot;`. Text without any is returned
 * as it is.
 */
export function withoutEscapes(text: string): string {
  if (!['\\u00', '\\x', '&amp;', '&quot;', '&#'].some(start => text.includes(start))) return text;
  return text.replace(escapes, (_, unicode?: string, byte?: string, entity?: string) => {
    const code = unicode ?? byte;
    return code === undefined
      ? entities[entity!.toLowerCase()]!
      : String.fromCharCode(Number.parseInt(code, 16));
  });
}

/** Text in base64, if it is printable: other bytes are no configuration. */
function decoded(match: RegExpExecArray): ReturnType<Revelation['reveal']> {
  const text = Buffer.from(match.groups?.encoded ?? match[0], 'base64').toString('latin1');
  return /^[\s\x20-\x7e]+$/.test(text) ? { text, end: match.index + match[0].length } : null;
}

/** Two strings with a plus between them. */
const joint = /["'`]\s{0,4}\+\s{0,40}["'`]/y;
const piece = /[^"'`\\\r\n]{0,200}/y;
const longestChain = 4_000;

/** The strings before and after a plus sign, and those after the next ones, joined. */
function joined({ input, index }: RegExpExecArray): ReturnType<Revelation['reveal']> {
  let from = index;
  while (from > 0 && index - from < 200 && !/["'`\r\n]/.test(input[from - 1]!)) from--;
  let text = input.slice(from, index);
  let end = index;
  while (text.length < longestChain) {
    joint.lastIndex = end;
    const sign = joint.exec(input);
    if (sign === null) break;
    piece.lastIndex = end + sign[0].length;
    const next = piece.exec(input)![0];
    text += next;
    end += sign[0].length + next.length;
  }
  return { text, end };
}

/** Where common encodings start. */
export const hiddenTexts: readonly Revelation[] = [
  {
    anchors: ['atob('],
    within: true,
    pattern: /atob\(\s{0,4}["'`](?<encoded>[\w+/-]{16,8000}={0,2})["'`]/y,
    reveal: decoded,
  },
  // A JSON Web Token, which starts with `eyJ`.
  { anchors: ['ZXlK'], pattern: /(?<![\w+/-])ZXlK[\w+/-]{60,4000}={0,2}/y, reveal: decoded },
  // A key in its text format: `-----BEGIN`, with one of several names.
  {
    anchors: ['LS0tLS1CRUdJTi'],
    pattern: /(?<![\w+/-])LS0tLS1CRUdJTi[\w+/-]{60,8000}={0,2}/y,
    reveal: decoded,
  },
  {
    // A JSON object: `{"`, `{ "`, `{` and a new line.
    anchors: ['eyJ', 'eyAi', 'ewog', 'ewoi', 'ewoJ', 'ew0K'],
    pattern: /(?<![\w+/-])e[wy][\w+/-]{80,8000}={0,2}(?![\w.+/-])/y,
    reveal: decoded,
  },
  {
    anchors: ['"+"', "'+'", '" + "', "' + '", '"+\n', "'+\n", '" +\n', "' +\n", '" +\r\n'],
    within: true,
    pattern: joint,
    reveal: joined,
  },
];
