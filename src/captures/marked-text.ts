/**
 * A query parameter's value that shows how a page treats it: it ends an attribute's value, a string of a script and an
 * element, and opens an element named after the marker. Nobody's browser runs anything because of it.
 *
 * @param marker letters and digits in lower case, beginning with a letter
 */
export function markedText(marker: string): string {
  return `${marker}"'</${marker}><${marker}>`;
}
