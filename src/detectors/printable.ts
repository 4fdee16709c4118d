/**
 * Text from a target with everything but printable ASCII spelled out as `\u{e9}`: different names stay different where
 * they become part of a locator.
 */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]|\\/gu, spelledOut);
}

/** The same for what may have parts in that form: backslashes stay. */
export function printableRest(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, spelledOut);
}

const spelledOut = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;
