/**
 * A query parameter's value that shows how a page escapes it: it closes an attribute value, a script string and an
 * element, and opens an element named after the marker. No browser runs anything because of it.
 *
 * @param marker lowercase letters and digits, beginning with a letter
 */
export function markedText(marker: string): string {
  return `${marker}"'</${marker}><${marker}>`;
}
