import { anchors, rulesAt } from './find-secrets.ts';

/** What a name may contain besides the tokens of services. The group is the secret. */
const others: readonly RegExp[] = [
  // A URL with a password, also if it was cut off; not a port.
  /:\/\/[^\s:@/[]{0,80}:(?!\[masked)([^\s@]{1,200})@/g,
  /:\/\/[^\s:@/[]{0,80}:(?!\[masked|\d{1,5}(?:[^\w]|$))([^\s/@"']{1,200})/g,
  /(?:pass(?:word|wd)?|pwd|secret|token|api_?key)["']?\s?=\s?["']?(?!\[masked)([^\s"'&;,]{3,200})/gi,
  /(?:pass(?:word|wd)?|pwd)["']?:\s?["']?(?!\[masked)([^\s"'&;,]{3,200})/gi,
  /A[KS]IA([A-Z0-9]{16})/gi,
  /[sr]k_(?:live|test)_([0-9A-Za-z]{6,250})/gi,
];

/** A secret access key of AWS, beside the key's ID. */
const besideKeyId = /(?<![0-9A-Za-z/+=])([0-9A-Za-z/+]{40})(?![0-9A-Za-z/+=])/g;

/**
 * Replaces what may be a secret in a text of a target, such as the name of a table: tokens of services, passwords in
 * URLs and settings, keys. More than `findSecrets` reports, since examples need no exception here.
 *
 * @param mask what to write instead of a secret
 */
export function maskSecrets(text: string, mask: (secret: string) => string): string {
  const hasKeyId = /A[KS]IA[A-Z0-9]{16}/i.test(text);
  const patterns = hasKeyId ? [besideKeyId, ...others] : others;
  return patterns.reduce(
    (masked, pattern) =>
      masked.replace(pattern, (match, secret: string) => {
        const at = match.lastIndexOf(secret);
        return `${match.slice(0, at)}${mask(secret)}${match.slice(at + secret.length)}`;
      }),
    maskTokens(text, mask),
  );
}

function maskTokens(text: string, mask: (secret: string) => string): string {
  let result = '';
  let from = 0;
  anchors.lastIndex = 0;
  for (let anchor = anchors.exec(text); anchor !== null; anchor = anchors.exec(text)) {
    const match = matchAt(text, anchor);
    if (match === null) continue;
    const { random, body } = match.groups ?? {};
    const secret = random ?? match[0];
    const at = anchor.index + match[0].indexOf(secret);
    // A key in several lines continues after the part that identifies it.
    const end = body === undefined ? at + secret.length : text.length;
    result += text.slice(from, at) + mask(text.slice(at, end));
    from = end;
    anchors.lastIndex = end;
  }
  return result + text.slice(from);
}

function matchAt(text: string, { 0: anchor, index }: RegExpExecArray): RegExpExecArray | null {
  for (const { pattern } of rulesAt.get(anchor)!) {
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    // Passwords in URLs are masked without the rest of the URL.
    if (match !== null && match.groups?.password === undefined) return match;
  }
  return null;
}
