import LineBreaker from 'linebreak';

/**
 * Text without characters that a PDF cannot show: controls, and those that are invisible, join, or change the direction of
 * writing. Of marks on one character, the first few: thousands on one would be one character that fits no line.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufffc]/gu, '')
    .replaceAll(/(\p{M}{4})\p{M}+/gu, '$1');
}

/** A character with its marks. All else that belongs together is in scripts that the report's fonts do not have. */
const characters = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * Breaks what is wider than a line and has no place to break (UAX 14). pdfkit would do so too, but tries one length after the
 * other, in time that grows with the cube of the length.
 *
 * @param width of a line
 * @param advance the width of a character, in the same unit
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
