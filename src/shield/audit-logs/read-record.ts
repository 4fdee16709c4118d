import type { AuditRecord } from '../firewall-request.ts';
import type { RuleBook } from '../rule-book.ts';
import { readCoraza } from './coraza.ts';
import { readModsecurity2 } from './modsecurity2.ts';
import { readModsecurity3 } from './modsecurity3.ts';

/** Firewalls whose audit logs are read. */
export const auditLogEngines = ['modsecurity3', 'modsecurity2', 'coraza'] as const;
export type AuditLogEngine = (typeof auditLogEngines)[number];

/** Time stamps of events end with 2999. */
const farthest = Date.UTC(3000, 0);

/**
 * Reads one record of an audit log. Its text is whatever clients made the firewall write: anything else than a record is `malformed`,
 * and nothing throws. Takes linear time.
 */
export function readRecord(engine: AuditLogEngine, text: string, book: RuleBook): AuditRecord {
  const record =
    engine === 'modsecurity3'
      ? readModsecurity3(text, book)
      : engine === 'modsecurity2'
        ? readModsecurity2(text)
        : readCoraza(text);
  const isDated = typeof record === 'string' || (record.at >= 0 && record.at < farthest);
  return isDated ? record : 'malformed';
}
