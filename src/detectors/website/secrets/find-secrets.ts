import type { Check } from '../../detector.ts';
import { anchorSearch } from '../anchors.ts';
import { accountSecrets } from './account-secrets.ts';
import { looksGenuine } from './genuine.ts';
import { moreTokens } from './more-tokens.ts';
import type { SecretRule } from './rule.ts';
import { serviceTokens } from './service-tokens.ts';

/** In the order of trying: where two rules share an anchor, the first that accepts has it. */
const secretRules: readonly SecretRule[] = [...accountSecrets, ...serviceTokens, ...moreTokens];

const rulesAt = new Map<string, SecretRule[]>();
for (const rule of secretRules) {
  for (const anchor of rule.anchors) rulesAt.set(anchor, [...(rulesAt.get(anchor) ?? []), rule]);
}

const anchors = anchorSearch(rulesAt.keys());

/** How often a rule may read the text around what it found: a hostile text offers little else. */
const maxLooks = 500;

/** The check of every kind of secret that is searched for. */
export const checkOfKind: ReadonlyMap<string, Check> = new Map(
  secretRules.map(({ kind, check }) => [kind, check]),
);

/**
 * The kinds of secrets in a text, each once. The text is read once for the rules' anchors; only what follows one is
 * compared, within bounds, so that time grows with the text's length and no more.
 *
 * @returns unread: rules that stopped, because the text has too much that resembles their secret
 */
export function findSecrets(text: string): {
  readonly rules: readonly SecretRule[];
  readonly unread: readonly SecretRule[];
} {
  const found = new Set<SecretRule>();
  const unread = new Set<SecretRule>();
  const looks = new Map<SecretRule, number>();
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
        const count = looks.get(rule) ?? 0;
        if (count >= maxLooks) {
          unread.add(rule);
          continue;
        }
        looks.set(rule, count + 1);
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
