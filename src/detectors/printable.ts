/**
 * Text from a target with everything but printable ASCII escaped as `\u{e9}`, so that different names stay
 * different in locators.
 */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]|\\/gu, spelledOut);
}

/** The same for text that may already have such escapes: backslashes are kept. */
export function printableRest(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, spelledOut);
}

const spelledOut = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Escapes a literal `\u{…}` in a name, so that it differs from an escaped character. */
export function withEscapesEscaped(text: string): string {
  return text.replace(/\\(?=u\{[0-9a-f]{1,6}\})/g, spelledOut);
}
