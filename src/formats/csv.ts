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
  // A run of quotes at a time: a target may have sent nothing else.
  return `"${harmless.replace(/"+/g, quotes => quotes + quotes)}"`;
}

/** Begin a formula, also in their wide and small forms. */
const signs = new Set('=+-@＝＋－＠﹦﹢﹣﹫−');
/**
 * Where a cell can begin, with what a spreadsheet passes over there. Within a text too: where lists are separated by semicolons,
 * it does not know the quotes that follow a comma for quotes, and cuts the text in them at its own separators.
 */
const beginnings = /(?:^|[;\t\r\n])[\s;"\p{Cc}\p{Cf}]*/gu;

/** Puts an apostrophe before each sign with which a cell could begin. */
function withoutFormulas(text: string): string {
  return text.replace(beginnings, (passed, at: number) =>
    signs.has(text[at + passed.length] ?? '') ? `${passed}'` : passed,
  );
}
