import { type Static, type TSchema, Type } from 'typebox';
import { AgentName } from './agent-name.ts';
import { choice, form, NullableTimestamp, nullable, Timestamp, Uuid } from './values.ts';

/**
 * Version of the payloads of Shield events. A change that an older service would misread increases it; additional fields do not.
 */
export const shieldSchema = 1;

/** Bounds of one Shield event: at the largest, its JSON is below the largest body of a request. */
export const shieldBounds = {
  groups: 200,
  /** Groups of what did not fit into `groups`. */
  others: 100,
  hosts: 100,
  alerts: 200,
  decisions: 200,
  /** Active decisions that are named by their numbers. */
  current: 1_000,
  host: 253,
  path: 256,
  message: 200,
  scenario: 100,
  /** Distinct values are counted up to here. */
  distinct: 1_000,
} as const;

/** `blocked`: the firewall answered instead of the website. `detected`: rules matched, and the website answered. */
const shieldActions = ['blocked', 'detected'] as const;
export type ShieldAction = (typeof shieldActions)[number];

/** Classes of attacks: the `attack-*` tags of the OWASP Core Rule Set, and `other` for rules without one. */
export const attackClasses = [
  ...['sqli', 'xss', 'lfi', 'rfi', 'rce', 'php', 'java', 'nodejs', 'injection', 'fixation', 'protocol'],
  ...['multipart', 'method', 'scanner', 'reputation', 'dos', 'disclosure', 'generic', 'other'],
] as const;
export type AttackClass = (typeof attackClasses)[number];

/** Severities of ModSecurity's rules, most severe first. */
export const ruleSeverities = [
  ...['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'],
] as const;
export type RuleSeverity = (typeof ruleSeverities)[number];

/** Methods that are reported by name; others are `OTHER`. */
export const shieldMethods = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'OTHER'],
] as const;
export type ShieldMethod = (typeof shieldMethods)[number];

export const firewallEngines = ['modsecurity3', 'modsecurity2', 'coraza', 'crowdsec'] as const;
export type FirewallEngine = (typeof firewallEngines)[number];

export const firewallModes = ['block', 'detect_only', 'off', 'unknown'] as const;
export type FirewallMode = (typeof firewallModes)[number];

const forwarderProblems = ['log_missing', 'api_unreachable', 'api_refused'] as const;
/** Why a firewall is not read: as its forwarder reports, or because most of the last records of its log were not understood. */
export const firewallProblems = [...forwarderProblems, 'log_not_understood'] as const;
export type FirewallProblem = (typeof firewallProblems)[number];

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const positive = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** Requests of a minute. */
const requestCount = Type.Integer({ minimum: 1, maximum: 1_000_000_000 });
const line = (maxLength: number) =>
  Type.String({
    maxLength,
    ...form('^[^\\x00-\\x1f\\x7f]*$', 'must not contain control characters'),
  });
const version = Type.String({
  minLength: 1,
  maxLength: 40,
  ...form('^[0-9A-Za-z._+~:-]+$', 'must be a version such as 1.2.3'),
});

/** The normalized `Host` of requests; null if it was missing or not a valid name, or is not one of the operator's. */
const host = nullable(
  Type.String({
    minLength: 1,
    maxLength: shieldBounds.host,
    ...form('^[0-9a-z.:_-]+$', 'must be a host name or IP address'),
  }),
);

/** A CIDR (the client's /24 or /48), an address if the operator chose so, or null. */
const network = nullable(
  Type.String({ minLength: 1, maxLength: 49, ...form('^[0-9a-f.:/]+$', 'must be an IP address or CIDR') }),
);

/** The fields of every Shield event. Unknown fields are ignored, so that an older service understands a newer forwarder. */
const envelope = {
  id: Uuid,
  occurred_at: Timestamp,
  schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
  forwarder: Type.Object({
    name: AgentName,
    version,
    /** Of the process: a new one each time it starts. */
    instance: Uuid,
  }),
};

/** The forwarder runs. It proves nothing about the firewall without traffic: see `log` and `hosts`. */
export const ShieldHeartbeat = Type.Object({
  ...envelope,
  kind: Type.Literal('shield.heartbeat'),
  started_at: Timestamp,
  interval_seconds: Type.Integer({ minimum: 10, maximum: 86_400 }),
  /** As the last record of the log states it; before the first record, only the engine is known. */
  firewall: Type.Object({
    engine: choice(firewallEngines),
    version: nullable(version),
    mode: choice(firewallModes),
    rule_set: nullable(Type.Object({ name: version, version: nullable(version) })),
  }),
  /** Why nothing can be read: the log is missing or unreadable, or CrowdSec's local API does not answer or refuses the login or key. */
  problem: nullable(choice(forwarderProblems)),
  /** Null if the source is not a log file. */
  log: nullable(
    Type.Object({
      /** Bytes of the file that are not read yet. */
      lag_bytes: count,
      /** Since the log's position began: records read, those that could not be understood, and lines over 1 MB. */
      records: count,
      malformed: count,
      too_long: count,
      last_record_at: NullableTimestamp,
    }),
  ),
  /** Websites in records of this process, most recent first. */
  hosts: Type.Array(Type.Object({ host, last_seen_at: Timestamp }), { maxItems: shieldBounds.hosts }),
});
export type ShieldHeartbeat = Static<typeof ShieldHeartbeat>;

/** The rule that explains a request best: the most severe of those that matched, without evaluations of scores. */
const Rule = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 12, ...form('^[0-9]+$', 'must be the number of a rule') }),
  /** The rule's own text from its file, without values of requests; null if the forwarder does not have the file. */
  message: nullable(line(shieldBounds.message)),
  severity: nullable(choice(ruleSeverities)),
});

const RequestGroup = Type.Object({
  host,
  action: choice(shieldActions),
  attack: choice(attackClasses),
  rule: nullable(Rule),
  /** Without query; segments that may be values are `:id` or `:data`. */
  path: line(shieldBounds.path),
  network,
  method: choice(shieldMethods),
  /** Status of the answer; null if the log has none. */
  status: nullable(Type.Integer({ minimum: 100, maximum: 999 })),
  /** Whether a session cookie or an `Authorization` header was sent, valid or not; null if the log has no headers. */
  authenticated: nullable(Type.Boolean()),
  count: requestCount,
  first_at: Timestamp,
  last_at: Timestamp,
});
export type RequestGroup = Static<typeof RequestGroup>;

const distinct = Type.Integer({ minimum: 0, maximum: shieldBounds.distinct });

/** Requests of a flood of different ones: only counts. */
const OtherRequests = Type.Object({
  host,
  action: choice(shieldActions),
  attack: choice(attackClasses),
  count: requestCount,
  /** Distinct values, at most 1,000. */
  paths: distinct,
  networks: distinct,
  rules: distinct,
  first_at: Timestamp,
  last_at: Timestamp,
});
export type OtherRequests = Static<typeof OtherRequests>;

/**
 * Requests that matched rules, by minute of their occurrence. A minute may come in several events, whose counts add up: the requests of
 * a minute are the sum of all `groups` and `others`.
 */
export const ShieldRequests = Type.Object({
  ...envelope,
  kind: Type.Literal('shield.requests'),
  from: Timestamp,
  to: Timestamp,
  groups: Type.Array(RequestGroup, { maxItems: shieldBounds.groups }),
  others: Type.Array(OtherRequests, { maxItems: shieldBounds.others }),
});
export type ShieldRequests = Static<typeof ShieldRequests>;

/** Name of a scenario of the CrowdSec hub, such as `crowdsecurity/http-probing`; `other` for free text of operators. */
const scenario = Type.String({
  minLength: 1,
  maxLength: shieldBounds.scenario,
  ...form('^[0-9A-Za-z._/-]+$', 'must be the name of a scenario'),
});

/** Numbers are CrowdSec's: unique in one local API. */
const ShieldAlert = Type.Object({
  alert: positive,
  scenario,
  scope: choice(['ip', 'range', 'country', 'as', 'other']),
  network,
  /** Lines of logs that the scenario counted. */
  events: count,
  created_at: Timestamp,
  /** Of the first and last line. */
  start_at: Timestamp,
  stop_at: Timestamp,
  /** True for a scenario that the operator only tries out. */
  simulated: Type.Boolean(),
});
export type ShieldAlert = Static<typeof ShieldAlert>;

/** New alerts of CrowdSec's local API. */
const ShieldAlerts = Type.Object({
  ...envelope,
  kind: Type.Literal('shield.alerts'),
  alerts: Type.Array(ShieldAlert, { maxItems: shieldBounds.alerts }),
  /** Alerts that were too many to read. */
  more: count,
});
export type ShieldAlerts = Static<typeof ShieldAlerts>;

const ShieldDecision = Type.Object({
  decision: positive,
  type: choice(['ban', 'captcha', 'throttle', 'other']),
  scope: choice(['ip', 'range', 'country', 'as', 'other']),
  /** Truncated like the addresses of clients; null for other scopes. */
  network,
  /** How long it is still valid. */
  remaining_seconds: count,
  /** `crowdsec`: a scenario; `cscli`: an operator; `capi` and `lists`: a list of others. */
  origin: choice(['crowdsec', 'cscli', 'capi', 'lists', 'other']),
  scenario,
});
export type ShieldDecision = Static<typeof ShieldDecision>;

/** New decisions of CrowdSec's local API, and how many are active, by origin. Active ones are repeated from time to time. */
export const ShieldDecisions = Type.Object({
  ...envelope,
  kind: Type.Literal('shield.decisions'),
  decisions: Type.Array(ShieldDecision, { maxItems: shieldBounds.decisions }),
  active: Type.Object({ crowdsec: count, cscli: count, capi: count, lists: count, other: count }),
  /** Numbers of the newest active decisions of scenarios and operators: others were deleted or have ended. Of several events, in the last. */
  current: Type.Optional(Type.Array(positive, { maxItems: shieldBounds.current })),
});
export type ShieldDecisions = Static<typeof ShieldDecisions>;
export type ActiveDecisions = ShieldDecisions['active'];

/** Events that the forwarder dropped because its spool or the disk was full, or they were too old. */
const ShieldDropped = Type.Object({
  ...envelope,
  kind: Type.Literal('shield.dropped'),
  reason: choice(['spool_full', 'too_old', 'disk_full']),
  count: positive,
  from: NullableTimestamp,
  to: NullableTimestamp,
});

/** The kinds of events of the forwarder, on the channel `shield`. */
export const shieldEvents = {
  'shield.heartbeat': ShieldHeartbeat,
  'shield.requests': ShieldRequests,
  'shield.alerts': ShieldAlerts,
  'shield.decisions': ShieldDecisions,
  'shield.dropped': ShieldDropped,
} as const satisfies Record<string, TSchema>;
export type ShieldEventKind = keyof typeof shieldEvents;
export type ShieldEvent = Static<(typeof shieldEvents)[ShieldEventKind]>;
