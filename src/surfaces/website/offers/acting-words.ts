import {
  commandNames,
  notAtEnd,
  objects,
  ofSearches,
  showing,
  unmistakable,
  usualNames,
  verbs,
} from './acting-verbs.ts';

/** GET requests should not trigger actions, but on some sites they do. */
const inPath = new Set(verbs);
const inLink = new Set([...verbs, ...usualNames]);
const onButton = new Set([...inLink].filter(word => !ofSearches.has(word)));
const onCaption = new Set(verbs.filter(word => !ofSearches.has(word)));
const joined = new Set(objects);
const whole = new Set(unmistakable);

const beginning = 4;
const byBeginning = new Map<string, string[]>();
for (const part of unmistakable) {
  const key = part.slice(0, beginning);
  byBeginning.set(key, [...(byBeginning.get(key) ?? []), part]);
}

const longestVerb = Math.max(...verbs.map(({ length }) => length));
const shortestVerb = 2;
const longestObject = Math.max(...objects.map(({ length }) => length)) + 'from'.length + 's'.length;

/** How often a text may be encoded. Servers decode once, proxies and applications behind them again. */
const mostDecodings = 4;

/** Whether a request for a path that is no link may act on its words. */
export const mayAct = (path: string): boolean => isUnread(path) || namesAction(path, inPath);

/** Whether a request for a link, with these parameters, may act on its words. */
export function linkMayAct(url: URL, names: readonly string[]): boolean {
  const query = [...url.searchParams];
  return (
    query.some(([name, value]) => isCommand(name, value)) ||
    [url.pathname, ...query.map(([name]) => name), ...names].some(text => isUnread(text)) ||
    [url.pathname, ...query.flat(), ...names].some(text => namesAction(text, inLink))
  );
}

/**
 * Whether a request for a source map may act. Visitors never request one, so any URL can be named as one, but most have the name of the
 * script.
 */
export function mapMayAct(url: URL): boolean {
  const isFile = url.search === '' && /\.(?:css|js|json|map)$/i.test(url.pathname);
  return !isFile && linkMayAct(url, []);
}

/** Whether a form with these texts, such as the captions of its buttons, acts. */
export const labelMayAct = (text: string): boolean => namesAction(text, onButton);

/** Whether a link with this text acts. */
export const captionMayAct = (text: string): boolean => namesAction(text, onCaption);

const inMarks = new Set(['bin', 'trash']);

/** Whether names of classes, icons and data of a link suggest an action. Only unmistakable words count: `dropdown-toggle` does not. */
export const marksMayAct = (text: string): boolean => namesAction(text, inMarks);

/** Whether a text has letters of another script, whose words are not known. */
function isUnread(text: string): boolean {
  return /(?!\p{Script=Latin})\p{L}/u.test(percentDecoded(text).normalize('NFKC'));
}

/** A parameter that selects what the server does, with a value that is not known to only show something. */
function isCommand(name: string, value: string): boolean {
  if (!commandNames.has(name.toLowerCase())) return false;
  const words = wordsOf(value);
  return words === null || !words.every(word => showing.has(word));
}

function namesAction(text: string, known: ReadonlySet<string>): boolean {
  const words = wordsOf(text);
  if (words === null) return true;
  const isAction = (word: string) => known.has(word) || isUnmistakable(word) || isJoined(word);
  // `log-out` is `logout`.
  const isPair = (pair: string) => known.has(pair) || whole.has(pair);
  return words.some((word, index) => isAction(word) || (index > 0 && isPair(words[index - 1] + word)));
}

/** The words of a text as servers may read it, without accents; null if it is encoded too often. */
function wordsOf(text: string): string[] | null {
  let plain = text;
  for (let count = 0; ; count += 1) {
    const decoded = percentDecoded(plain);
    if (decoded === plain) break;
    if (count === mostDecodings) return null;
    plain = decoded;
  }
  return plain
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[^a-z]+/)
    .filter(word => word !== '');
}

/** Invalid sequences do not keep the others from being decoded. */
function percentDecoded(text: string): string {
  return text
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:%[0-9a-f]{2})+/gi, escapes =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}

function isUnmistakable(word: string): boolean {
  for (let at = 0; at + beginning <= word.length; at += 1) {
    const parts = byBeginning.get(word.slice(at, at + beginning));
    if (parts?.some(part => word.startsWith(part, at))) return true;
  }
  return false;
}

/** Whether it is a verb with its object, such as `adduser` or `userban`. */
function isJoined(word: string): boolean {
  if (word.length > longestVerb + longestObject) return false;
  for (let at = shortestVerb; at <= word.length - shortestVerb; at += 1) {
    const [start, end] = [word.slice(0, at), word.slice(at)];
    if (inPath.has(start) && isObject(end.replace(/^(?:to|from|my|the|new)/, ''))) return true;
    if (inPath.has(end) && !notAtEnd.has(end) && isObject(start)) return true;
  }
  return false;
}

const isObject = (word: string) => joined.has(word) || (word.endsWith('s') && joined.has(word.slice(0, -1)));
