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
  ENABLED: 'block',
  DETECTION_ONLY: 'detect_only',
  DISABLED: 'off',
};

/** Reads a record of ModSecurity 2 for Apache (2.9, `SecAuditLogFormat JSON`, parts A, B, F, H, Z). */
export function readModsecurity2(text: string): AuditRecord {
  const record = parseObject(text);
  const transaction = objectAt(record, 'transaction');
  const at = apacheTime(textAt(transaction, 'time'));
  if (at === undefined) return 'malformed';
  const audit = objectAt(record, 'audit_data');
  const rules = itemsAt(audit, 'messages').flatMap(ruleOf);
  const isDenied = objectAt(audit, 'action').intercepted === true;
  if (rules.length === 0 && !isDenied) return 'without_rules';
  const request = objectAt(record, 'request');
  const requestLine = textAt(request, 'request_line');
  const [method = ''] = requestLine.split(' ', 1);
  const producers = wordsAt(audit, 'producer');
  return {
    at,
    client: textAt(transaction, 'remote_address'),
    method,
    path: pathOf(requestLine.slice(method.length + 1).replace(/ HTTP\/[0-9.]{1,8}$/, '')),
    status: statusAt(objectAt(record, 'response'), 'status'),
    action: isDenied ? 'blocked' : 'detected',
    rules,
    ...headerFacts(request.headers),
    firewall: {
      engine: 'modsecurity2',
      version: versionOf(producers[0] ?? ''),
      mode: modes[textAt(audit, 'engine_mode')] ?? 'unknown',
      ruleSet: ruleSetOf(producers[1]),
    },
  };
}

/** `26/Nov/2026:09:11:19.710523 +0000` */
const apacheForm = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2})(\.\d{1,6})? ([+-]\d{2})(\d{2})$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function apacheTime(text: string): number | undefined {
  const [, day, month = '', year, clock, fraction = '', hours, minutes] = apacheForm.exec(text) ?? [];
  const number = String(months.indexOf(month) + 1).padStart(2, '0');
  const time = Date.parse(`${year}-${number}-${day}T${clock}${fraction.slice(0, 4)}${hours}:${minutes}`);
  return Number.isNaN(time) ? undefined : time;
}

const field = /\[([a-z]{1,20}) "((?:[^"\\]|\\.)*)"\]/gy;

/**
 * Reads the fields at the end of a line such as `Warning. Pattern match "…" at ARGS:a. [file "…"] [line "…"] [id "…"] [tag "…"]`. The
 * text before them has the name of a parameter as the client sent it, which may imitate fields; within fields, quotes are escaped. The
 * last `[file "` is therefore the firewall's.
 */
function ruleOf(entry: unknown): MatchedRule[] {
  const line = typeof entry === 'string' ? entry : '';
  let id: string | undefined;
  let severity = '';
  const tags: string[] = [];
  field.lastIndex = Math.max(line.lastIndexOf('[file "'), 0);
  for (let found = field.exec(line); found !== null; found = field.exec(line)) {
    const [, name, value = ''] = found;
    if (name === 'id') id ??= ruleIdOf(value);
    else if (name === 'severity') severity = value;
    else if (name === 'tag' && tags.length < 100 && value.length <= 100) tags.push(value);
    field.lastIndex += 1;
  }
  return id === undefined ? [] : [{ id, severity: severityOf(severity), tags }];
}
