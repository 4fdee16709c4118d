import type { FirewallMode } from '../../contract/shield-events.ts';
import type { AuditRecord, MatchedRule } from '../firewall-request.ts';
import type { RuleBook } from '../rule-book.ts';
import { isDenied } from './interruption.ts';
import {
  itemsAt,
  objectAt,
  parseObject,
  ruleIdOf,
  ruleSetOf,
  severityOf,
  statusAt,
  textAt,
  versionOf,
  wordsAt,
} from './json-fields.ts';
import { headerFacts, pathOf } from './request-fields.ts';

const modes: Readonly<Record<string, FirewallMode>> = {
  Enabled: 'block',
  DetectionOnly: 'detect_only',
  Disabled: 'off',
};

/** Reads a record of ModSecurity 3 (libmodsecurity 3.0, `SecAuditLogFormat JSON`, parts A, B, H, Z). */
export function readModsecurity3(text: string, book: RuleBook): AuditRecord {
  const transaction = objectAt(parseObject(text), 'transaction');
  const at = timeOf(textAt(transaction, 'time_stamp'), textAt(transaction, 'unique_id'));
  const request = objectAt(transaction, 'request');
  if (at === undefined || textAt(request, 'uri') === '') return 'malformed';
  const producer = objectAt(transaction, 'producer');
  const mode = modes[textAt(producer, 'secrules_engine')] ?? 'unknown';
  const status = statusAt(objectAt(transaction, 'response'), 'http_code');
  const rules = itemsAt(transaction, 'messages').flatMap(ruleOf);
  if (rules.length === 0) return 'without_rules';
  return {
    at,
    client: textAt(transaction, 'client_ip'),
    method: textAt(request, 'method'),
    path: pathOf(textAt(request, 'uri')),
    status,
    action: mode === 'block' && isDenied(rules, status, book) ? 'blocked' : 'detected',
    rules,
    ...headerFacts(request.headers),
    firewall: {
      engine: 'modsecurity3',
      version: versionOf(textAt(producer, 'modsecurity')),
      mode,
      ruleSet: ruleSetOf(wordsAt(producer, 'components')[0]),
    },
  };
}

function ruleOf(entry: unknown): MatchedRule[] {
  const details = objectAt(entry, 'details');
  const id = ruleIdOf(textAt(details, 'ruleId'));
  if (id === undefined) return [];
  const severity = textAt(details, 'severity');
  // Also logged for rules without a severity.
  const isUnknown = severity === '0';
  return [{ id, severity: isUnknown ? null : severityOf(severity), tags: wordsAt(details, 'tags') }];
}

const hour = 3_600_000;
/** Time zones differ from UTC by a multiple of it. */
const quarter = hour / 4;
/** Milliseconds between the two times, which are taken one after the other. */
const tolerance = 2_000;

/**
 * The time stamp is in the firewall's time zone, which it does not name: probably this machine's. The id of a transaction begins with the
 * same time in seconds, unless nginx was given another one, such as from a header of the client: it is used if the two differ by a time zone.
 */
function timeOf(stamp: string, id: string): number | undefined {
  const local = stamp.length > 40 ? Number.NaN : Date.parse(stamp);
  if (Number.isNaN(local)) return undefined;
  const utc = Number(/^[0-9]{10}/.exec(id)?.[0]) * 1_000;
  const ahead = Date.parse(`${stamp} UTC`) - utc;
  const zone = Math.round(ahead / quarter) * quarter;
  const isZone = zone >= -12 * hour && zone <= 14 * hour && Math.abs(ahead - zone) <= tolerance;
  return isZone ? utc : local;
}
