import LineBreaker from 'linebreak';

/**
 * Removes characters that a PDF cannot show: control characters, and characters that are invisible, join others or change the
 * text direction. Keeps the first few marks of a character: with thousands, it would fit on no line.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufffc]/gu, '')
    .replaceAll(/(\p{M}{4})\p{M}+/gu, '$1');
}

/** A character with its marks. The report's fonts lack the scripts that need longer clusters. */
const characters = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * Breaks runs that are wider than a line and have no break opportunity (UAX 14). pdfkit does so too, but tries one length after
 * another, in time cubic in the length.
 *
 * @param width of a line
 * @param advance width of a character, in the same unit
 */
export function breakLongRuns(text: string, width: number, advance: (character: string) => number): string {
  const breaker = new LineBreaker(text);
  const parts: string[] = [];
  let from = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    let left = width;
    for (const [character] of text.slice(from, next.position).matchAll(characters)) {
      const needed = character === '\n' ? 0 : advance(character);
      if (needed > left) {
        parts.push('\n');
        left = width;
      }
      left -= needed;
      parts.push(character);
    }
    from = next.position;
  }
  return parts.join('');
}
