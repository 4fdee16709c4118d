/**
 * Like `indexOf`, in time that grows with the sum of both lengths (Knuth, Morris and Pratt, 1977): `indexOf` takes time
 * that grows with their product for `aaaab` in `aaaa…`.
 *
 * @param part at most 65,535 characters
 */
export function find(text: string, part: string, from: number): number {
  // How many characters still match if the next one does not.
  const borders = new Uint16Array(part.length);
  for (let at = 1, border = 0; at < part.length; at++) {
    const unit = part.charCodeAt(at);
    while (border > 0 && unit !== part.charCodeAt(border)) border = borders[border - 1]!;
    if (unit === part.charCodeAt(border)) border++;
    borders[at] = border;
  }
  if (part === '') return from;
  for (let at = from, matched = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (unit === part.charCodeAt(matched)) matched++;
    if (matched === part.length) return at - matched + 1;
  }
  return -1;
}

/** Replaces a secret of at least one character in a text: a server may answer with parts of it, again and again. */
export function redacted(text: string, secret: string): string {
  let result = '';
  let from = 0;
  for (let at = find(text, secret, 0); at !== -1; at = find(text, secret, from)) {
    result += `${text.slice(from, at)}[credential]`;
    from = at + secret.length;
  }
  return from === 0 ? text : result + text.slice(from);
}
