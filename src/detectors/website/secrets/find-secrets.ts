import type { Severity } from '../../../contract/severity.ts';
import type { Check } from '../../detector.ts';
import { AnchorTable } from '../anchor-table.ts';
import { awsKeys } from './aws-keys.ts';
import { azureKeys } from './azure-keys.ts';
import { secretsChecks } from './checks.ts';
import { looksGenuine } from './genuine.ts';
import { jsonWebTokens } from './json-web-tokens.ts';
import { LikelySecrets } from './likely-nearby.ts';
import { likelySecrets } from './likely-secrets.ts';
import { logins } from './logins.ts';
import { namedRules } from './named-services.ts';
import { otherTokens } from './other-tokens.ts';
import { privateKeys } from './private-keys.ts';
import { aiRules } from './providers/ai.ts';
import { cloudRules } from './providers/cloud.ts';
import { codeRules } from './providers/code.ts';
import { dataRules } from './providers/data.ts';
import { messageRules } from './providers/messages.ts';
import { monitoringRules } from './providers/monitoring.ts';
import { paymentRules } from './providers/payments.ts';
import { workRules } from './providers/work.ts';
import { hiddenTexts, type Revelation, withoutEscapes } from './reveal.ts';
import type { Reading, SecretRule, Verdict } from './rule.ts';
import { webhooks } from './webhooks.ts';

/** In order of precedence: where several rules accept the same text, the first wins. */
export const secretRules: readonly SecretRule[] = [
  ...privateKeys,
  ...awsKeys,
  ...azureKeys,
  ...jsonWebTokens,
  ...logins,
  ...webhooks,
  ...otherTokens,
  ...paymentRules,
  ...codeRules,
  ...cloudRules,
  ...aiRules,
  ...messageRules,
  ...dataRules,
  ...monitoringRules,
  ...workRules,
  ...namedRules,
  ...likelySecrets,
];

export const isRevelation = (rule: SecretRule | Revelation): rule is Revelation => 'reveal' in rule;

/** The rules by the texts that they start with. */
export const rulesByAnchor = new AnchorTable<SecretRule | Revelation>();
for (const rule of [...secretRules, ...hiddenTexts]) {
  for (const anchor of rule.anchors) rulesByAnchor.add(anchor, rule, 'anyCase' in rule);
}

/** How often a rule may read the text around a match, which limits the cost of hostile text. */
const maxReads = 500;

/** Encoded texts within encoded texts are searched this deep. Each level has at most as many characters as the one before. */
const maxDepth = 3;

/** The check of every kind of secret that is searched for. */
export const checkOfKind: ReadonlyMap<string, Check> = new Map(
  secretRules.map(({ kind, check }) => [kind, check]),
);

export interface FoundSecret {
  readonly kind: string;
  /** With its article: `a Stripe secret key`. Contains no part of the secret. */
  readonly name: string;
  readonly check: Check;
  /** Overrides the check's severity. */
  readonly severity?: Severity;
}

interface Secrets {
  /** Each kind once, with the highest severity. */
  readonly rules: readonly FoundSecret[];
  /** Checks that were not compared with all of the text, because it has too many candidates. */
  readonly unread: readonly { readonly check: Check }[];
}

const weights: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1, info: 0 };
const weightOf = ({ severity, check }: FoundSecret) => weights[severity ?? check.severity];

/** The match of a pattern at a position. Several rules in a row may have the same pattern. */
export class LastMatch {
  #text = '';
  #at = -1;
  #pattern: RegExp | null = null;
  #match: RegExpExecArray | null = null;

  at(text: string, at: number, pattern: RegExp): RegExpExecArray | null {
    if (this.#pattern === pattern && this.#at === at && this.#text === text) return this.#match;
    pattern.lastIndex = at;
    [this.#text, this.#at, this.#pattern, this.#match] = [text, at, pattern, pattern.exec(text)];
    return this.#match;
  }
}

class Search {
  readonly found = new Map<string, FoundSecret>();
  readonly unread = new Set<SecretRule>();
  readonly #reads = new Map<SecretRule, number>();
  readonly #reading: Reading;
  readonly #matches = new LastMatch();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  in(text: string, depth = 0): void {
    const likely = new LikelySecrets();
    rulesByAnchor.search(text, (at, rules) => {
      const isInWord = isWithinWord(text, at);
      for (const rule of rules) {
        if (isInWord && !rule.within) continue;
        const end = isRevelation(rule)
          ? this.#reveal(rule, text, at, depth)
          : this.#compare(rule, text, at, likely);
        if (end !== null) return end;
      }
      return null;
    });
    for (const rule of likely.rules()) this.#add(rule, {});
  }

  /** @returns where the secret ends; null if there is none */
  #compare(rule: SecretRule, text: string, at: number, likely: LikelySecrets): number | null {
    const match = this.#matches.at(text, at, rule.pattern);
    if (match === null || !looksRandom(match)) return null;
    if (rule.looksAround && !this.#mayRead(rule)) return null;
    const verdict = rule.accepts?.(match, this.#reading) ?? true;
    if (verdict === false) return null;
    const end = at + match[0].length;
    if (rule.check === secretsChecks.likelySecret) {
      likely.add(rule, at, end);
      // The value may be a secret of a known kind.
      return null;
    }
    this.#add(rule, verdict === true ? {} : verdict);
    likely.knownAt(at, end, rule.hasPartner === true);
    return end;
  }

  #mayRead(rule: SecretRule): boolean {
    const count = this.#reads.get(rule) ?? 0;
    if (count >= maxReads) this.unread.add(rule);
    else this.#reads.set(rule, count + 1);
    return count < maxReads;
  }

  #add({ kind, name, check, severity }: SecretRule, verdict: Verdict): void {
    const chosen = verdict.severity ?? severity;
    const secret: FoundSecret = {
      kind,
      name: verdict.name ?? name,
      check,
      ...(chosen === undefined ? {} : { severity: chosen }),
    };
    const known = this.found.get(kind);
    if (known === undefined || weightOf(secret) > weightOf(known)) this.found.set(kind, secret);
  }

  #reveal(rule: Revelation, text: string, at: number, depth: number): number | null {
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    const hidden = match === null || depth >= maxDepth ? null : rule.reveal(match);
    if (hidden === null) return null;
    this.in(hidden.text, depth + 1);
    return hidden.end;
  }
}

/**
 * The kinds of secrets in a text. The text is searched once for the rules' anchors, and only a bounded part after each is
 * compared, so that time is linear in the text's length.
 *
 * @param collectedAt ISO 8601: tokens that had expired then are not secrets
 */
export function findSecrets(text: string, { collectedAt }: { readonly collectedAt?: string } = {}): Secrets {
  const now = collectedAt === undefined ? Number.NaN : Date.parse(collectedAt);
  const search = new Search({ now: Number.isNaN(now) ? null : now });
  search.in(withoutEscapes(text));
  const { found, unread } = search;
  return { rules: [...found.values()], unread: [...unread].filter(({ kind }) => !found.has(kind)) };
}

/** Longer than any part of a URL without a dot, a dash or an underscore. */
const longBase64 = 80;

/** A part of embedded data: a signature in it is no token. */
const isBase64 = (text: string) =>
  text.length === longBase64 &&
  /^[A-Za-z\d+/]*$/.test(text) &&
  /[A-Z]/.test(text) &&
  /[a-z]/.test(text) &&
  /\d/.test(text);

/** Whether the text before a position continues a word. An escaped line break does not. */
function isWithinWord(text: string, at: number): boolean {
  if (at === 0) return false;
  if (/[+/]/.test(text[at - 1]!)) return isBase64(text.slice(Math.max(0, at - longBase64), at));
  if (!/[\w-]/.test(text[at - 1]!)) return false;
  return !/[^\\]\\[nrt]$/.test(text.slice(Math.max(0, at - 3), at));
}

/** Whether the random parts of a match appear random. */
export function looksRandom({ groups }: RegExpExecArray): boolean {
  if (groups === undefined) return true;
  for (const name in groups) {
    const value = groups[name];
    if (name.startsWith('random') && value !== undefined && !looksGenuine(value)) return false;
  }
  return true;
}
