import { type AttackClass, ruleSeverities } from '../contract/shield-events.ts';
import { isSummary } from './audit-logs/interruption.ts';
import type { MatchedRule } from './firewall-request.ts';

/** The Core Rule Set's tags of classes, of versions 3 and 4. */
const byTag: Readonly<Record<string, AttackClass>> = {
  'attack-sqli': 'sqli',
  'attack-xss': 'xss',
  'attack-lfi': 'lfi',
  'attack-rfi': 'rfi',
  'attack-rce': 'rce',
  'attack-injection-php': 'php',
  'attack-injection-java': 'java',
  'attack-injection-nodejs': 'nodejs',
  'attack-injection-generic': 'injection',
  'attack-ldap': 'injection',
  'attack-ssti': 'injection',
  'attack-ssrf': 'rfi',
  'attack-fixation': 'fixation',
  'attack-protocol': 'protocol',
  'attack-deprecated-header': 'protocol',
  'attack-multipart-header': 'multipart',
  'attack-reputation-scanner': 'scanner',
  'attack-reputation-scripting': 'scanner',
  'attack-reputation-crawler': 'scanner',
  'attack-reputation-ip': 'reputation',
  'attack-dos': 'dos',
  'attack-disclosure': 'disclosure',
};

/** The Core Rule Set's files by the first digits of their rules. */
const byFile: Readonly<Record<string, AttackClass>> = {
  '910': 'reputation',
  '911': 'method',
  '912': 'dos',
  '913': 'scanner',
  '920': 'protocol',
  '921': 'protocol',
  '922': 'multipart',
  '930': 'lfi',
  '931': 'rfi',
  '932': 'rce',
  '933': 'php',
  '934': 'nodejs',
  '941': 'xss',
  '942': 'sqli',
  '943': 'fixation',
  '944': 'java',
  '949': 'generic',
  '950': 'disclosure',
  '951': 'disclosure',
  '952': 'disclosure',
  '953': 'disclosure',
  '954': 'disclosure',
  '959': 'generic',
};

/**
 * Rules of one file belong to one class. The file decides first: ModSecurity 3.0.9 logs some rules without tags, and rules of one class
 * must not be counted under two.
 */
export function attackClassOf({ id, tags }: MatchedRule): AttackClass {
  const file = id.length === 6 ? byFile[id.slice(0, 3)] : undefined;
  if (file !== undefined) return file;
  const tag = tags.find(one => Object.hasOwn(byTag, one));
  return tag === undefined ? (tags.includes('attack-generic') ? 'generic' : 'other') : byTag[tag]!;
}

/** The rule that explains a request best: the first of the most severe ones that are more than a sum of others. */
export function decisiveRule(rules: readonly MatchedRule[]): MatchedRule | undefined {
  const own = rules.filter(rule => !isSummary(rule));
  const rank = ({ severity }: MatchedRule) =>
    severity === null ? ruleSeverities.length : ruleSeverities.indexOf(severity);
  const lowest = Math.min(...own.map(rank));
  return own.find(rule => rank(rule) === lowest) ?? rules[0];
}
