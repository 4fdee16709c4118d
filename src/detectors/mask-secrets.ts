import { mask as placeholder } from '../captures/places.ts';
import { isRevelation, LastMatch, looksRandom, rulesByAnchor } from './website/secrets/find-secrets.ts';
import type { SecretRule } from './website/secrets/rule.ts';

/** Tokens that are recognized by their beginning alone. */
const anywhere: readonly RegExp[] = [/A[KS]IA([A-Z0-9]{16})/gi, /[sr]k_(?:live|test)_([0-9A-Za-z]{6,})/gi];

/** What a name may contain besides the tokens of services. It ends with the secret, which is the last group. */
const others: readonly RegExp[] = [
  // A URL with a password that was cut off; not a port.
  /:\/\/[^\s:@/[]{0,80}:(?!\d{1,5}(?:[^\w]|$))([^\s/@"']+)/g,
  // A setting. Without quotes, more of the text is masked rather than less of the password.
  /(?:(?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|secret|access|private)[_-]?key)(?:[\\"']{0,4}\s*(?:=>?|:|%3D)\s*|\s+(?='))|identified by\s+(?='))(?:\\?"((?:[^"\\]|\\.)+)|\\?'((?:[^'\\]|''|\\.)+)|([^\s"'\\]\S{2,}))/gis,
  // A password hash of Unix.
  /\$(?:[1567]|2[abxy]|apr1|argon2(?:id?|d)|g?y|md5|sha1)\$([\w./$=,+-]{8,})/g,
  ...anywhere,
];

/** A URL with a name and what follows: the password ends at the last `@`, since it may contain others. */
const urlWithPassword = /:\/\/[^\s:@/[]{0,80}:\S+/g;

const isMask = (text: string) => /^\[masked(?::[0-9a-f]{8})?\]$/.test(text);
const plainMask = () => placeholder;

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
  const withoutUrls = maskTokens(text, mask).replace(urlWithPassword, url => {
    const from = url.indexOf(':', '://'.length) + 1;
    const password = url.slice(from, Math.max(from, url.lastIndexOf('@')));
    return password === '' || isMask(password)
      ? url
      : `${url.slice(0, from)}${mask(password)}${url.slice(from + password.length)}`;
  });
  return maskMatches(withoutUrls, patterns, mask);
}

function maskMatches(text: string, patterns: readonly RegExp[], mask: (secret: string) => string): string {
  return patterns.reduce(
    (masked, pattern) =>
      masked.replace(pattern, (match, ...groups: readonly (string | number | undefined)[]) => {
        const secret = groups.slice(0, -2).find(group => group !== undefined) as string;
        return isMask(secret) ? match : `${match.slice(0, -secret.length)}${mask(secret)}`;
      }),
    text,
  );
}

/**
 * Masks only tokens of known formats. The rest stays as it is, also what may be a password or a port: two locators must not become the
 * same.
 */
export function withoutTokens(text: string): string {
  return maskMatches(maskTokens(text, plainMask), anywhere, plainMask);
}

/** The beginning of a text of a target, with secrets masked first: a part of one is not recognized later. Short texts stay as they are. */
export function beginningOf(text: string, length: number): string {
  return text.length > length ? maskSecrets(text, plainMask).slice(0, length) : text;
}

/** A text of a target as a part of a sentence, where equal masks need not mean equal secrets. */
export function withoutSecrets(text: string): string {
  return maskSecrets(text, plainMask);
}

function maskTokens(text: string, mask: (secret: string) => string): string {
  let result = '';
  let from = 0;
  const matches = new LastMatch();
  rulesByAnchor.search(text, (at, rules) => {
    for (const rule of rules) {
      const span = isRevelation(rule) ? null : tokenAt(matches, text, at, rule);
      if (span === null || span.start < from) continue;
      result += text.slice(from, span.start) + mask(text.slice(span.start, span.end));
      from = span.end;
      return span.end;
    }
    return null;
  });
  return result + text.slice(from);
}

/** Where a token's random part is; null if there is none. */
function tokenAt(
  matches: LastMatch,
  text: string,
  at: number,
  { pattern, ambiguous, looksAround }: SecretRule,
): { readonly start: number; readonly end: number } | null {
  if (ambiguous) return null;
  const match = matches.at(text, at, pattern);
  // A format that counts only near certain words may also be that of a name.
  if (match === null || (looksAround && !looksRandom(match))) return null;
  const groups = match.groups ?? {};
  // Passwords in URLs and settings are masked without the rest.
  if ('password' in groups || 'url' in groups || 'value' in groups || 'label' in groups) return null;
  const end = at + match[0].length;
  // A key in several lines continues after the part that identifies it.
  if (groups.body !== undefined) return { start: at, end: text.length };
  const random = Object.entries(groups).find(([name, part]) => name.startsWith('random') && part)?.[1];
  if (random === undefined) return { start: at, end };
  const within = match[0].indexOf(random);
  // What precedes the anchor ends there.
  return { start: within === -1 ? at - random.length : at + within, end };
}
