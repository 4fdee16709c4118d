import { randomUUID } from 'node:crypto';
import type { RequestGroup, ShieldHeartbeat, ShieldRequests } from '../../src/contract/shield-events.ts';

export const shieldPath = '/functions/v1/shield-ingest';

const minute = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString();

const envelope = (occurredAt = minutesAgo(0)) => ({
  id: randomUUID(),
  occurred_at: occurredAt,
  schema: 1,
  forwarder: { name: 'edge', version: '1.0.0', instance: '00000000-0000-4000-8000-000000000001' },
});

/** An event of any kind. */
export const shieldEvent = (kind: string, fields: object) => ({ ...envelope(), kind, ...fields });

/** Ten blocked requests. */
export const group = (changes: Partial<RequestGroup> = {}): RequestGroup => ({
  host: 'shop.example',
  action: 'blocked',
  attack: 'sqli',
  rule: { id: '942100', message: 'SQL Injection Attack', severity: 'critical' },
  path: '/search',
  network: '192.0.2.0/24',
  method: 'GET',
  status: 403,
  authenticated: false,
  count: 10,
  first_at: minutesAgo(1),
  last_at: minutesAgo(1),
  ...changes,
});

/** Requests of one minute. */
export const requests = (
  groups: readonly Partial<RequestGroup>[],
  changes: Partial<ShieldRequests> = {},
): ShieldRequests => ({
  ...envelope(),
  kind: 'shield.requests',
  from: minutesAgo(1),
  to: minutesAgo(0),
  groups: groups.map(group),
  others: [],
  ...changes,
});

/** A heartbeat about a firewall that blocks, with current rules, and reported requests for `shop.example`. */
export const heartbeat = (changes: Partial<ShieldHeartbeat> = {}): ShieldHeartbeat => ({
  ...envelope(),
  kind: 'shield.heartbeat',
  started_at: minutesAgo(60),
  interval_seconds: 60,
  firewall: {
    engine: 'modsecurity3',
    version: '3.0.9',
    mode: 'block',
    rule_set: { name: 'OWASP_CRS', version: '4.28.0' },
  },
  problem: null,
  log: { lag_bytes: 0, records: 7, malformed: 0, too_long: 0, last_record_at: minutesAgo(1) },
  hosts: [{ host: 'shop.example', last_seen_at: minutesAgo(1) }],
  ...changes,
});

/** A heartbeat about CrowdSec, which names no website. */
export const crowdsecHeartbeat = (changes: Partial<ShieldHeartbeat> = {}): ShieldHeartbeat =>
  heartbeat({
    firewall: { engine: 'crowdsec', version: null, mode: 'unknown', rule_set: null },
    log: null,
    hosts: [],
    ...changes,
  });
