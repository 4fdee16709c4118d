import type { Check } from '../../detector.ts';
import { anchorSearch } from '../anchors.ts';
import { accountSecrets } from './account-secrets.ts';
import { looksGenuine } from './genuine.ts';
import { moreTokens } from './more-tokens.ts';
import type { SecretRule } from './rule.ts';
import { serviceTokens } from './service-tokens.ts';

/** In order of precedence: where two rules share an anchor, the first that accepts wins. */
const secretRules: readonly SecretRule[] = [...accountSecrets, ...serviceTokens, ...moreTokens];

/** The rules by the texts that they start with. */
export const rulesAt = new Map<string, SecretRule[]>();
for (const rule of secretRules) {
  for (const anchor of rule.anchors) rulesAt.set(anchor, [...(rulesAt.get(anchor) ?? []), rule]);
}

export const anchors = anchorSearch(rulesAt.keys());

/** How often a rule may read the text around a match, which limits the cost of hostile text. */
const maxReads = 500;

/** The check of every kind of secret that is searched for. */
export const checkOfKind: ReadonlyMap<string, Check> = new Map(
  secretRules.map(({ kind, check }) => [kind, check]),
);

/**
 * The kinds of secrets in a text, each once. The text is searched once for the rules' anchors, and only a bounded part after each is
 * compared, so that time is linear in the text's length.
 *
 * @returns unread: rules that stopped because the text has too many candidates
 */
export function findSecrets(text: string): {
  readonly rules: readonly SecretRule[];
  readonly unread: readonly SecretRule[];
} {
  const found = new Set<SecretRule>();
  const unread = new Set<SecretRule>();
  const reads = new Map<SecretRule, number>();
  anchors.lastIndex = 0;
  for (let anchor = anchors.exec(text); anchor !== null; anchor = anchors.exec(text)) {
    const at = anchor.index;
    const isInWord = at > 0 && /[\w-]/.test(text[at - 1]!);
    for (const rule of rulesAt.get(anchor[0])!) {
      if (isInWord && !rule.within) continue;
      rule.pattern.lastIndex = at;
      const match = rule.pattern.exec(text);
      if (match === null || !looksRandom(match)) continue;
      if (rule.looksAround) {
        const count = reads.get(rule) ?? 0;
        if (count >= maxReads) {
          unread.add(rule);
          continue;
        }
        reads.set(rule, count + 1);
      }
      if (rule.accepts?.(match) === false) continue;
      found.add(rule);
      anchors.lastIndex = at + match[0].length;
      break;
    }
  }
  return { rules: [...found], unread: [...unread].filter(rule => !found.has(rule)) };
}

function looksRandom({ groups }: RegExpExecArray): boolean {
  return groups?.random === undefined || looksGenuine(groups.random);
}
