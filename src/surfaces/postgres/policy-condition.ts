import type { PolicyCondition } from '../../evidence/postgres.ts';

/**
 * Sorts a policy's condition, in the server's own spelling, into a kind. What it says otherwise stays here.
 *
 * @param expression null where the policy has none
 */
export function conditionOf(expression: string | null): PolicyCondition {
  if (expression === null) return 'none';
  if (expression.length <= maxLength && isAlwaysTrue(expression)) return 'always_true';
  // `user_metadata` is a claim of Supabase's tokens, `raw_user_meta_data` its column: users edit both themselves.
  return /user_meta_?data/i.test(expression) ? 'user_metadata' : 'other';
}

/** What is asked for of a condition; a hostile server sends more. */
const maxLength = 500;

/** Deeper than any condition that people write. */
const maxDepth = 20;

/** Whether the condition holds for every row, as far as its form tells: nothing is looked up or computed. */
function isAlwaysTrue(expression: string, depth = 0): boolean {
  if (depth > maxDepth) return false;
  const text = withoutParentheses(expression.trim()).replace(/::bool(?:ean)?$/, '');
  if (/^'?t(?:rue)?'?$/i.test(text)) return true;
  const branches = split(text, ' OR ');
  if (branches.length > 1) return branches.some(branch => isAlwaysTrue(branch, depth + 1));
  const conditions = split(text, ' AND ');
  if (conditions.length > 1) return conditions.every(condition => isAlwaysTrue(condition, depth + 1));
  if (/^NOT \(?false\)?$/i.test(text)) return true;
  const sides = split(text, ' = ').map(side => withoutParentheses(side.trim()));
  return sides.length === 2 && sides[0] === sides[1] && isLiteral(sides[0]!);
}

const isLiteral = (text: string) => /^(?:-?\d+|'[^']*')(?:::[a-z ]{1,40})?$/i.test(text);

function withoutParentheses(text: string): string {
  let inner = text;
  while (inner.startsWith('(') && closingOf(inner) === inner.length - 1) inner = inner.slice(1, -1).trim();
  return inner;
}

/** Where the parenthesis that opens the text closes; -1 when it does not. */
function closingOf(text: string): number {
  for (const { at, depth } of outside(text)) if (depth === 0 && text[at] === ')') return at;
  return -1;
}

/** Splits at a word that stands outside of quotes and parentheses. */
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

/** Every place outside of quotes, with the number of parentheses that are open after it. */
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
