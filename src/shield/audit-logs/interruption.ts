import type { MatchedRule } from '../firewall-request.ts';
import type { RuleBook } from '../rule-book.ts';

/** The Core Rule Set compares scores in these, and denies there: 949 for requests, 959 for answers. */
const evaluation = /^9[45]9[0-9]{3}$/;
/** Sums up in the logging phase, after a decision. */
const correlation = /^980[0-9]{3}$/;

/** Whether the rule only evaluates what others found. */
export function isSummary({ id }: MatchedRule): boolean {
  return evaluation.test(id) || correlation.test(id);
}

/**
 * Whether ModSecurity 3 denied a request, which its log does not say: rules end with the one that denies, except for those of the logging
 * phase. What a rule does is in its file; without the files, only evaluations of the Core Rule Set are known to deny.
 *
 * @param status of the answer. A request that was denied has none of success; when the body of an answer is denied, its status was sent.
 */
export function isDenied(rules: readonly MatchedRule[], status: number | null, book: RuleBook): boolean {
  const last = rules.findLast(({ id }) => !correlation.test(id));
  if (last === undefined) return false;
  if (last.id.startsWith('959') && evaluation.test(last.id)) return true;
  const denies = book.get(last.id)?.denies ?? evaluation.test(last.id);
  return denies && (status === null || status >= 300);
}
