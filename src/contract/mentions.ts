const mention = /<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/gi;

/** IDs of the people whom a comment mentions, each once. */
export function mentionedIn(body: string): string[] {
  return [...new Set([...body.matchAll(mention)].map(([, id]) => id!.toLowerCase()))];
}

/** A part of a comment: text, a mention, code in backticks, or a link. */
export type CommentPart =
  | { readonly kind: 'text' | 'code' | 'block' | 'link'; readonly text: string }
  | { readonly kind: 'mention'; readonly id: string };

/** Each alternative starts with characters of its own and is bounded, so that the work is linear. */
const parts =
  /```\n?([^`]{1,4000})```|`([^`\n]{1,400})`|<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>|(https?:\/\/[^\s<>"'`]{1,2000})/gi;

/** The parts of a comment in order. */
export function commentParts(body: string): CommentPart[] {
  const found: CommentPart[] = [];
  let end = 0;
  const plain = (until: number) => {
    if (until > end) found.push({ kind: 'text', text: body.slice(end, until) });
  };
  for (const match of body.matchAll(parts)) {
    const [whole, block, code, id, link] = match;
    plain(match.index);
    end = match.index + whole.length;
    if (block !== undefined) found.push({ kind: 'block', text: block.replace(/\n$/, '') });
    else if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (id !== undefined) found.push({ kind: 'mention', id: id.toLowerCase() });
    else if (link !== undefined) {
      // Punctuation after a link belongs to the sentence.
      const text = link.replace(/[.,:;!?)\]]{1,5}$/, '');
      end -= link.length - text.length;
      found.push({ kind: 'link', text });
    }
  }
  plain(body.length);
  return found;
}
