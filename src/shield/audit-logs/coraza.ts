import type { FirewallMode } from '../../contract/shield-events.ts';
import type { AuditRecord, MatchedRule } from '../firewall-request.ts';
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
  On: 'block',
  DetectionOnly: 'detect_only',
  Off: 'off',
};

/** Reads a record of Coraza 3 (`SecAuditLogFormat JSON`). Written from its documentation and source: no test runs Coraza. */
export function readCoraza(text: string): AuditRecord {
  const record = parseObject(text);
  const transaction = objectAt(record, 'transaction');
  const request = objectAt(transaction, 'request');
  // In nanoseconds.
  const at = Math.trunc(Number(textAt(transaction, 'unix_timestamp')) / 1_000_000);
  if (!(at > 0) || textAt(request, 'uri') === '') return 'malformed';
  const rules = itemsAt(record, 'messages').flatMap(ruleOf);
  const isDenied = transaction.is_interrupted === true;
  if (rules.length === 0 && !isDenied) return 'without_rules';
  const producer = objectAt(transaction, 'producer');
  return {
    at,
    client: textAt(transaction, 'client_ip'),
    method: textAt(request, 'method'),
    path: pathOf(textAt(request, 'uri')),
    status: statusAt(objectAt(transaction, 'response'), 'status'),
    action: isDenied ? 'blocked' : 'detected',
    rules,
    ...headerFacts(request.headers),
    firewall: {
      engine: 'coraza',
      version: versionOf(textAt(producer, 'version')),
      mode: modes[textAt(producer, 'rule_engine')] ?? 'unknown',
      ruleSet: ruleSetOf(wordsAt(producer, 'rulesets')[0]),
    },
  };
}

function ruleOf(entry: unknown): MatchedRule[] {
  const data = objectAt(entry, 'data');
  const id = ruleIdOf(textAt(data, 'id'));
  if (id === undefined || id === '0') return [];
  return [{ id, severity: severityOf(textAt(data, 'severity')), tags: wordsAt(data, 'tags') }];
}
