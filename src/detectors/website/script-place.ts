import { beginningOf } from '../mask-secrets.ts';

/**
 * A script's URL in a form that is the same for every build: scheme, host, port and path, with `*` for the
 * unique parts that builds add to names: `https://a.example/js/app.3f9a1c2b.js` becomes
 * `https://a.example/js/app.*.js`.
 */
export function scriptPlace(url: string): string {
  const { origin, pathname } = new URL(url);
  const segments = beginningOf(pathname, 1_000).split('/');
  return beginningOf(origin + segments.map(segment => normalized(segment.split(';', 1)[0]!)).join('/'), 300);
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function normalized(segment: string): string {
  if (segment.length > 200 || isUuid.test(segment)) return '*';
  // A build's folder has a long, mixed name.
  const kinds = [/[a-z]/, /[A-Z]/, /\d/];
  if (/^[\w-]{16,}$/.test(segment) && kinds.every(kind => kind.test(segment))) return '*';
  // Rollup and Vite add eight characters of base64url, including `-` and `_`, before the extension.
  const rollup = /^(.{1,150}[-.])([\w-]{8})(\.[a-z]{1,5})$/.exec(segment);
  if (rollup !== null && !isWord(rollup[2]!)) return `${normalized(rollup[1]!)}*${rollup[3]}`;
  const pieces = segment.split(/([-._~])/);
  if (!pieces.some(isHash)) return segment;
  // Numbers next to a hash are chunk numbers, which change with other chunks.
  return pieces.map(piece => (isHash(piece) || /^\d+$/.test(piece) ? '*' : piece)).join('');
}

/** Hexadecimal, or random letters and digits, as long as those of builds. */
function isHash(piece: string): boolean {
  if (piece.length < 8) return false;
  if (/^[0-9a-f]+$/i.test(piece)) return /\d/.test(piece);
  return /^\w+$/.test(piece) && !isWord(piece) && (/\d/.test(piece) || piece.length >= 16);
}

/** A name that a person chose, such as `validate`, `UserProfile`, `bootstrap5` or `two-words`. */
function isWord(text: string): boolean {
  return /^[a-z]*(?:[A-Z][a-z]{2,40}){0,8}\d{0,4}$|^[a-z]{2,}(?:[-_][a-z]{2,}){1,5}$/.test(text);
}
