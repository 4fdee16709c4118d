import { targetLimits } from '../../captures/limits.ts';
import { find } from './find.ts';
import { mayAct } from './offers/acting-words.ts';

/** One line of a group of a robots.txt. */
export interface RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
}

/**
 * The rules of all groups that name a product (RFC 9309, 2.2.1); null if there are too many or too long ones.
 *
 * @param name in lowercase
 */
export function rulesFor(name: string, robots: string): RobotsRule[] | null {
  const rules: RobotsRule[] = [];
  let isAddressed = false;
  let inAgents = false;
  for (const line of robots.replace(/^\ufeff/, '').split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const key = line.slice(0, colon).trim().toLowerCase();
    const value = (line.slice(colon + 1).split('#', 1)[0] ?? '').trim();
    if (key === 'user-agent') {
      const agent = /^[a-z_-]{1,50}/i.exec(value)?.[0].toLowerCase();
      isAddressed = (inAgents && isAddressed) || agent === name;
      inAgents = true;
    } else if (key === 'allow' || key === 'disallow') {
      inAgents = false;
      if (!isAddressed || value === '') continue;
      const pattern = encoded(value);
      if (rules.length === targetLimits.robotsRules || pattern.length > targetLimits.robotsRuleLength)
        return null;
      rules.push({ allow: key === 'allow', pattern });
    }
  }
  return rules;
}

/** Paths of one robots.txt that are kept, and characters of one. */
const mostNamed = 200;
const longestNamed = 200;

/** Files that pages load, which expose nothing. */
const asset = /\.(?:css|gif|ico|jpe?g|js|mp4|pdf|png|svg|webp|woff2?|xsl)$/i;

/** Words of what owners keep from search engines because it is not public. */
const telling =
  /(?:^|[/_.-])(?:adm|back|bak|beta|cfg|conf|cgi|data|db|debug|demo|dev|dump|export|file|hidden|include|inst|intern|ip|log|manag|mysql|old|phpmyadmin|pma|priv|prof|repo|secret|setup|sql|stag|stat|sys|te?mp|test|tool|upload)/i;

/**
 * Paths that a robots.txt keeps from search engines, without those that may act when requested; those that are most likely
 * not public first.
 */
export function namedPaths(robots: string): string[] {
  const paths = new Set<string>();
  for (const line of robots.split(/[\r\n]+/)) {
    if (paths.size === mostNamed) break;
    const [, value = ''] = /^\s{0,20}disallow\s{0,20}:\s{0,20}(\/[^\s#]{1,250})/i.exec(line) ?? [];
    const path = value.replace(/[*$]$/, '');
    const isPlain = path.length > 1 && path.length <= longestNamed && !/[*$?&;\\]/.test(path);
    if (isPlain && !asset.test(path) && !mayAct(path)) paths.add(path);
  }
  const rank = (path: string) => Number(!telling.test(path));
  return [...paths].sort((a, b) => rank(a) - rank(b));
}

/**
 * The longest matching pattern decides; of two equal ones, the one that allows (RFC 9309, 2.2.2).
 *
 * @param path with its query, within the length limit of a URL
 */
export function isAllowed(rules: readonly RobotsRule[], path: string): boolean {
  const asked = encoded(path);
  let decisive: RobotsRule | null = null;
  for (const rule of rules) {
    const isLonger = decisive === null || rule.pattern.length >= decisive.pattern.length;
    if (!isLonger || !fits(rule.pattern, asked)) continue;
    const isTie = rule.pattern.length === decisive?.pattern.length;
    if (!isTie || rule.allow) decisive = rule;
  }
  return decisive?.allow ?? true;
}

/** `*` matches anything, a final `$` the end (RFC 9309, 2.2.3). Each part is searched once, from the left. */
function fits(pattern: string, path: string): boolean {
  const toEnd = pattern.endsWith('$');
  const [first = '', ...parts] = (toEnd ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = toEnd ? parts.pop() : undefined;
  for (const part of parts) {
    const found = find(path, part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !toEnd || at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}

/** A canonical spelling for a path: percent-encoded only where necessary (RFC 9309, 2.2.2). */
function encoded(path: string): string {
  return path
    .replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w.~-]/.test(character) ? character : whole.toUpperCase();
    })
    .replace(/[^\x20-\x7e]/gu, character => encodeURIComponent(character.toWellFormed()));
}
