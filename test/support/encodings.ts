/** The text as it may be encoded in a request. */
export function encodings(text: string): string[] {
  const bytes = Buffer.from(text);
  // Of base64 at any offset, the part that does not depend on its neighbors.
  const base64 = [0, 1, 2].map(offset =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset + 2, -4),
  );
  const all = [text, bytes.toString('hex'), encodeURIComponent(text), ...base64];
  return all.map(encoded => encoded.toLowerCase());
}
