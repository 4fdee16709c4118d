/** A firewall that has reported requests for the source, or CrowdSec of its system, as the newest heartbeat and last record state. */
export interface ShieldFirewall {
  /** The forwarder's name. */
  readonly forwarder: string;
  readonly engine: string;
  readonly interval_seconds: number;
  /** Seconds since the last heartbeat; null if it reports as agreed. */
  readonly silent_seconds: number | null;
  /** Why nothing, or less than half, can be read; null if the log or API can be. */
  readonly problem: 'log_missing' | 'log_not_understood' | 'api_unreachable' | 'api_refused' | null;
  readonly mode: 'block' | 'detect_only' | 'off' | 'unknown';
  readonly rule_set: { readonly name: string; readonly version: string | null } | null;
}

/** Requests of one class in each of the last three full hours, oldest first. */
interface AttackHours {
  readonly attack: string;
  readonly blocked: readonly number[];
  readonly detected: readonly number[];
}

/** Blocked requests of one rule, path and network, today and yesterday (UTC). */
export interface BlockedRequests {
  readonly rule: string;
  readonly path: string;
  readonly network: string;
  readonly blocked: number;
  /** Of these, with a session cookie or `Authorization`. */
  readonly authenticated: number;
}

/** What the service knows of the firewalls of a source with Shield on. */
export interface ShieldCapture {
  /** ISO 8601 time. */
  readonly collected_at: string;
  /** Since Shield is on. */
  readonly on_seconds: number;
  readonly firewalls: readonly ShieldFirewall[];
  readonly hours: readonly AttackHours[];
  readonly blocks: {
    /** Blocked requests whose rule or network is not known, or that were too many to keep apart. */
    readonly without_detail: number;
    readonly requests: readonly BlockedRequests[];
  };
}
