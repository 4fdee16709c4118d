import type { PolicyCondition } from '../../captures/postgres.ts';

/** Characters of a condition that are read. Typical conditions have a few hundred. */
export const maxCondition = 4_000;

/** Levels of nested parentheses that are read. */
const maxDepth = 50;

/**
 * Classifies a policy's condition, in the server's own spelling. Only its kind leaves this function.
 *
 * @param expression null if the policy has none; empty if it was skipped
 */
export function conditionOf(expression: string | null): PolicyCondition {
  if (expression === null) return 'none';
  if (expression === '') return 'skipped';
  // `user_metadata` is a claim of Supabase's tokens, `raw_user_meta_data` its column: users can edit both themselves.
  const trustsUser = /user_meta_?data/i.test(expression);
  if (expression.length > maxCondition || pairsOf(expression).depth > maxDepth)
    return trustsUser ? 'user_metadata' : 'unread';
  if (isAlwaysTrue(expression)) return 'always_true';
  if (trustsUser) return 'user_metadata';
  return isWholeBucket(expression) ? 'whole_bucket' : 'other';
}

/** Whether the condition compares only the bucket of a file in Supabase’s storage, and so permits all of its files. */
function isWholeBucket(expression: string): boolean {
  const sides = split(withoutParentheses(expression), ' = ').map(withoutParentheses);
  return sides.length === 2 && sides.some(side => side === 'bucket_id') && sides.some(isLiteral);
}

/** Whether the condition is true for every row, judged by its form only: nothing is looked up or computed. */
function isAlwaysTrue(expression: string): boolean {
  const text = withoutParentheses(expression);
  const cast = /::bool(?:ean)?$/.exec(text);
  if (cast !== null) return isAlwaysTrue(text.slice(0, cast.index));
  if (/^'?t(?:rue)?'?$/i.test(text)) return true;
  const branches = split(text, ' OR ');
  if (branches.length > 1) return branches.some(isAlwaysTrue);
  const conditions = split(text, ' AND ');
  if (conditions.length > 1) return conditions.every(isAlwaysTrue);
  if (/^NOT \(?false\)?$/i.test(text)) return true;
  const sides = split(text, ' = ').map(withoutParentheses);
  return sides.length === 2 && sides[0] === sides[1] && isLiteral(sides[0]!);
}

const isLiteral = (text: string) => /^(?:-?\d+|'[^']*')(?:::[a-z ]{1,40})?$/i.test(text);

function withoutParentheses(text: string): string {
  const { closings } = pairsOf(text);
  let [start, end] = trimmed(text, 0, text.length);
  while (start < end && closings.get(start) === end - 1) [start, end] = trimmed(text, start + 1, end - 1);
  return text.slice(start, end);
}

function trimmed(text: string, from: number, to: number): [start: number, end: number] {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text[start]!)) start++;
  while (start < end && /\s/.test(text[end - 1]!)) end--;
  return [start, end];
}

/** For each opening parenthesis the position of its closing one, and the deepest nesting. */
function pairsOf(text: string): { closings: ReadonlyMap<number, number>; depth: number } {
  const closings = new Map<number, number>();
  const open: number[] = [];
  let most = 0;
  for (const { at } of outside(text)) {
    if (text[at] === '(') most = Math.max(most, open.push(at));
    const opened = text[at] === ')' ? open.pop() : undefined;
    if (opened !== undefined) closings.set(opened, at);
  }
  return { closings, depth: most };
}

/** Splits at a word outside quotes and parentheses. */
function split(text: string, word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, depth } of outside(text)) {
    if (depth === 0 && at >= start && text.startsWith(word, at)) {
      parts.push(text.slice(start, at));
      start = at + word.length;
    }
  }
  return [...parts, text.slice(start)];
}

/** Every position outside quotes, with the number of open parentheses after it. */
function* outside(text: string): Generator<{ at: number; depth: number }> {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === "'" || letter === '"') {
      quote = letter;
    } else {
      if (letter === '(') depth++;
      if (letter === ')') depth--;
      yield { at, depth };
    }
  }
}
