/**
 * Control characters, bidirectional formatting, zero-width and other invisible characters, line separators (UTR 36, section 2.10) and lone
 * surrogates, without line feeds and tabs. Tags and variation selectors show nothing, but can carry text for a language model.
 */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ud800-\udfff]/gu;

export function visibleText(text: string): string {
  return text.replace(invisible, '');
}

/** At most this many characters, with an ellipsis if it was longer. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
