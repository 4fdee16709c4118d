import { inflateSync } from 'node:zlib';

/** The text and structure of a PDF, as a reader, a search or a screen reader gets them. */
export interface PdfText {
  /** Each page's text, in the order in which it was written. */
  readonly pages: readonly string[];
  /** Types of structure elements, such as `H1` and `TH`, in order. */
  readonly structure: readonly string[];
  readonly bytes: Buffer;
}

/** Reads a PDF as pdfkit writes it: consecutive objects, each font with a ToUnicode map. */
export function readPdf(bytes: Buffer): PdfText {
  const objects = objectsOf(bytes);
  const pages = [...objects.values()].filter(({ text }) => /\/Type \/Page\b/.test(text));
  return {
    pages: pages.map(page => pageText(page.text, objects)),
    structure: [...objects.values()].flatMap(({ text }) => /\/S \/(\w+)/.exec(text)?.[1] ?? []),
    bytes,
  };
}

interface PdfObject {
  readonly text: string;
  readonly stream: string;
}

/** Consecutive objects. Streams are skipped by their length, whatever their contents. */
function objectsOf(bytes: Buffer): Map<string, PdfObject> {
  const file = bytes.toString('latin1');
  const objects = new Map<string, PdfObject>();
  const header = /(\d+) 0 obj\n/g;
  for (let match = header.exec(file); match; match = header.exec(file)) {
    const begin = header.lastIndex;
    const end = file.slice(begin).search(/\n(stream|endobj)\n/) + begin;
    const text = file.slice(begin, end);
    header.lastIndex = end;
    let stream = Buffer.alloc(0);
    if (file.startsWith('\nstream\n', end)) {
      const from = end + '\nstream\n'.length;
      const length = Number(/\/Length (\d+)/.exec(text)![1]);
      const raw = bytes.subarray(from, from + length);
      stream = text.includes('/FlateDecode') ? inflateSync(raw) : Buffer.from(raw);
      header.lastIndex = from + length;
    }
    objects.set(match[1]!, { text, stream: stream.toString('latin1') });
  }
  return objects;
}

function pageText(page: string, objects: Map<string, PdfObject>): string {
  const objectOf = (key: string, within: string) =>
    objects.get(new RegExp(`/${key} (\\d+) 0 R`).exec(within)?.[1] ?? '');
  const resources = objectOf('Resources', page)?.text ?? page;
  const maps = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
      name!,
      unicodeMap(objectOf('ToUnicode', objects.get(id!)!.text)!.stream),
    ]),
  );
  let map: ReadonlyMap<string, string> = new Map();
  const parts: string[] = [];
  for (const [, font, shown] of objectOf('Contents', page)!.stream.matchAll(
    /\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g,
  )) {
    if (font) map = maps.get(font)!;
    else {
      const codes = [...shown!.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
      parts.push(codes.map(code => map.get(code.toLowerCase()) ?? '�').join(''));
    }
  }
  return parts.join('\n');
}

/** Reads `beginbfrange` sections with one array each, as pdfkit writes them. */
function unicodeMap(cmap: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const [, first, values] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    [...values!.matchAll(/<([0-9a-f ]*)>/gi)].forEach(([, hex], index) => {
      const code = (Number.parseInt(first!, 16) + index).toString(16).padStart(4, '0');
      map.set(code, Buffer.from(hex!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    });
  }
  return map;
}
