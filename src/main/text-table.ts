/** Lines with columns of equal width, without spaces at the end. Columns are aligned to the left unless they are in `right`. */
export function textTable(
  given: readonly (readonly string[])[],
  { right = [] }: { readonly right?: readonly number[] } = {},
): string[] {
  const rows = given.map(row => row.map(cell => cell.replace(/\s+/g, ' ')));
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map(row => row[at]!.length)));
  return rows.map(row =>
    row
      .map((cell, at) => (right.includes(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** With units of 1024, as PostgreSQL writes them: `8 kB`, `1.4 GB`. */
export function readableSize(bytes: number): string {
  const unit = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
