type Field = string | number | boolean | null;

/**
 * Formats one CSV line (RFC 4180) with its line break. Text is always quoted, and text that a spreadsheet would evaluate as a formula is
 * prefixed with an apostrophe. NUL characters, which truncate the file for some readers, are removed. Null is empty.
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
  // Whole runs of quotes: text from a target may consist of quotes only.
  return `"${harmless.replace(/"+/g, quotes => quotes + quotes)}"`;
}

/** Characters that start a formula, including full-width and small forms. */
const signs = new Set('=+-@＝＋－＠﹦﹢﹣﹫−');
/**
 * Positions where a cell can start, with ignorable characters. Also within the text: a spreadsheet with another list separator, such as
 * a semicolon, does not recognize our quotes and splits the text at its separator.
 */
const beginnings = /(?:^|[;\t\r\n])[\s;"\p{Cc}\p{Cf}]*/gu;

/** Prefixes each formula at the start of a possible cell with an apostrophe. */
function withoutFormulas(text: string): string {
  return text.replace(beginnings, (skipped, at: number) =>
    signs.has(text[at + skipped.length] ?? '') ? `${skipped}'` : skipped,
  );
}
