type Field = string | number | boolean | null;

/**
 * One line of CSV (RFC 4180), with its line break. Text that a spreadsheet would take for a formula gets an apostrophe
 * before it, under which the spreadsheet shows it as text. Null is empty.
 */
export function csvLine(fields: readonly Field[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: Field): string {
  if (field === null) return '';
  if (typeof field !== 'string') return String(field);
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(harmless) || harmless !== field ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
