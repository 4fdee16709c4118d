import { type Static, Type } from 'typebox';
import { attackClasses, firewallEngines, firewallModes, firewallProblems } from '../shield-events.ts';
import { choice, closed, NullableTimestamp, Timestamp, Uuid } from '../values.ts';
import { Named } from './findings.ts';

const count = Type.Integer({ minimum: 0 });
const nullableText = Type.Union([Type.String(), Type.Null()]);
const counts = { blocked: count, detected: count };

/** Days that can be shown. */
const shieldPeriods = [1, 7, 30, 90] as const;
export type ShieldPeriod = (typeof shieldPeriods)[number];

export const ReadShield = closed({
  days: Type.Unsafe<`${ShieldPeriod}`>({
    ...Type.String(),
    enum: shieldPeriods.map(String),
    description: 'Length of the period. One of 1 day is counted by hours, others by days (UTC).',
  }),
});

const ShieldFirewall = closed({
  engine: choice(firewallEngines),
  version: nullableText,
  mode: choice(firewallModes),
  rule_set: nullableText,
  rule_set_version: nullableText,
  interval_seconds: count,
  last_seen_at: Timestamp,
  silent: Type.Boolean({ description: 'No heartbeat for three intervals.' }),
  problem: Type.Union([choice(firewallProblems), Type.Null()]),
  lag_bytes: Type.Union([count, Type.Null()]),
  records: Type.Union([count, Type.Null()]),
  malformed: Type.Union([count, Type.Null()]),
  too_long: Type.Union([count, Type.Null()]),
  last_record_at: NullableTimestamp,
});
export type ShieldFirewall = Static<typeof ShieldFirewall>;

/** Alerts of the period that are kept, and decisions that were active at the last report, by origin; null if none was reported. */
const CrowdsecCounts = closed({
  alerts: count,
  active_decisions: Type.Union([
    closed({ crowdsec: count, cscli: count, capi: count, lists: count, other: count }),
    Type.Null(),
  ]),
});
export type CrowdsecCounts = Static<typeof CrowdsecCounts>;
const crowdsec = Type.Union([CrowdsecCounts, Type.Null()]);

/** Why requests, alerts, decisions or whole events of a forwarder changed nothing. */
const shieldIgnored = [
  'host_unknown',
  'shield_off',
  'too_old',
  'in_future',
  'too_many',
  'too_many_events',
  'processing_failed',
  'key_revoked',
] as const;
export type ShieldIgnored = (typeof shieldIgnored)[number];

const ShieldForwarder = closed({
  id: Uuid,
  name: Type.String(),
  version: Type.String(),
  system: Named,
  last_seen_at: Timestamp,
  dropped: count,
  ignored: count,
  ignored_reason: nullableText,
  used: Type.Boolean({ description: 'Shield is on for a website of its system.' }),
  firewalls: Type.Array(ShieldFirewall),
  crowdsec,
});
export type ShieldForwarder = Static<typeof ShieldForwarder>;

/**
 * `waiting`: since Shield is on, no firewall has reported a request for the website, and no CrowdSec has reported on its system.
 * `crowdsec`: only CrowdSec reports, which names no website and no requests.
 * `log_unreadable`, `crowdsec_unreadable`: forwarders report, but none can read and understand its firewall.
 */
const shieldStates = [
  'off',
  'waiting',
  'crowdsec',
  'crowdsec_unreadable',
  'log_unreadable',
  'on',
  'silent',
] as const;
const state = {
  state: choice(shieldStates),
  silent_since: NullableTimestamp,
};

const Top = closed({
  value: Type.String({ description: 'Empty for all others.' }),
  label: nullableText,
  ...counts,
});
export type ShieldTop = Static<typeof Top>;

/** Numbers of alerts and decisions are unique within their forwarder. */
const Alert = closed({
  forwarder: Type.String(),
  alert: count,
  scenario: Type.String(),
  scope: Type.String(),
  network: nullableText,
  events: count,
  created_at: Timestamp,
  simulated: Type.Boolean(),
});
const Decision = closed({
  forwarder: Type.String(),
  decision: count,
  type: Type.String(),
  scope: Type.String(),
  network: nullableText,
  ends_at: Timestamp,
  origin: Type.String(),
  scenario: Type.String(),
});

export const ShieldDetail = closed({
  ...state,
  turned_on_at: NullableTimestamp,
  recorded: Type.Boolean({ description: 'Requests were counted at some time, perhaps before the period.' }),
  counted_for: Type.Union([Named, Type.Null()], {
    description:
      'An older source of the system with the same host and Shield on: requests are counted for it.',
  }),
  bucket: choice(['hour', 'day']),
  total: closed(counts),
  timeline: Type.Array(closed({ at: Timestamp, ...counts })),
  attacks: Type.Array(closed({ attack: choice(attackClasses), ...counts })),
  rules: Type.Array(Top),
  paths: Type.Array(Top),
  networks: Type.Array(Top),
  firewalls: Type.Array(closed({ forwarder: Type.String(), ...ShieldFirewall.properties })),
  /** CrowdSec names no website: this is about the system. */
  crowdsec,
  alerts: Type.Array(Alert),
  decisions: Type.Array(Decision),
});
export type ShieldDetail = Static<typeof ShieldDetail>;
export const ShieldDetailEnvelope = closed({ shield: ShieldDetail });
export const ShieldSwitch = closed({ shield: closed({ on: Type.Boolean() }) });

const ShieldSource = closed({
  id: Uuid,
  name: Type.String(),
  host: Type.String(),
  system: Named,
  ...state,
  ...counts,
});
export type ShieldSource = Static<typeof ShieldSource>;
/** Counts are of the last seven days. */
export const ShieldOverview = closed({
  sources: Type.Array(ShieldSource),
  forwarders: Type.Array(ShieldForwarder),
});
export type ShieldOverview = Static<typeof ShieldOverview>;
