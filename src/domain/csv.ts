type Field = string | number | boolean | null;

/**
 * One line of CSV (RFC 4180), with its line break. Text is always quoted. Where a spreadsheet would take text for a
 * formula, it gets an apostrophe before it, under which the spreadsheet shows it as text. NUL characters, which end a file
 * for some readers, are left out. Null is empty.
 */
export function csvLine(fields: readonly Field[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: Field): string {
  if (field === null) return '';
  if (typeof field !== 'string') return String(field);
  const text = field.replaceAll('\0', '');
  const neutral = withoutFormulas(text);
  const harmless = /^[\t\r\n]/.test(neutral) ? `'${neutral}` : neutral;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** Begin a formula, also in their wide and small forms. */
const signs = new Set('=+-@＝＋－＠﹦﹢﹣﹫−');
/**
 * Begin a cell within a text too: where lists are separated by semicolons, a spreadsheet does not know the quotes that
 * follow a comma for quotes, and cuts the text in them at its own separators.
 */
const separators = new Set(';\t\r\n');
const skipped = /[\s"\p{Cc}\p{Cf}]/u;

/** Puts an apostrophe before each sign with which a cell could begin. */
function withoutFormulas(text: string): string {
  let atStart = true;
  let copied = 0;
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (atStart && signs.has(character)) {
      result += `${text.slice(copied, at)}'`;
      copied = at;
    }
    atStart = separators.has(character) || (atStart && skipped.test(character));
  }
  return result + text.slice(copied);
}
