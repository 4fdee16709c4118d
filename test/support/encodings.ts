/** A text as it may be written in a request, a log or a file. In lowercase: compare with text in lowercase. */
export function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  // Of base64 at any offset, the part that does not depend on its neighbors.
  const base64 = (alphabet: 'base64' | 'base64url') =>
    [0, 1, 2].map(offset =>
      Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(2 - ((bytes.length + offset + 2) % 3))])
        .toString(alphabet)
        .slice(offset === 0 ? 0 : offset + 1, -4),
    );
  const url = encodeURIComponent(text).replaceAll("'", '%27');
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const json = JSON.stringify(text).slice(1, -1);
  const all = [
    ...[text, bytes.toString('hex'), ...base64('base64'), ...base64('base64url')],
    ...[encodeURIComponent(text), url, encodeURIComponent(url)],
    ...[json, JSON.stringify(json).slice(1, -1)],
    json.replace(/[<>&']/g, letter => `\\u00${letter.charCodeAt(0).toString(16)}`),
    ...['&#39;', '&#x27;'].map(quote => html.replaceAll('"', '&quot;').replaceAll("'", quote)),
    html.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
  ];
  return [...new Set(all.map(encoded => encoded.toLowerCase()))];
}
