import type { FirewallEngine, FirewallMode, RuleSeverity, ShieldAction } from '../contract/shield-events.ts';

/** A rule that matched. Its message and data are not read: both may contain values of the request. */
export interface MatchedRule {
  /** Digits, at most 12. */
  readonly id: string;
  readonly severity: RuleSeverity | null;
  /** As logged; `attackClassOf` reads the `attack-*` ones. */
  readonly tags: readonly string[];
}

export interface Firewall {
  readonly engine: FirewallEngine;
  readonly version: string | null;
  readonly mode: FirewallMode;
  readonly ruleSet: { readonly name: string; readonly version: string | null } | null;
}

/** A request that matched rules, of any firewall. It is not stripped yet, and never leaves in this form. */
export interface FirewallRequest {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** As logged, as are the host, the method and the path, which has no query. */
  readonly client: string;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly action: ShieldAction;
  readonly rules: readonly MatchedRule[];
  /** Whether a session cookie or an `Authorization` header was sent; undefined if the log has no headers. */
  readonly authenticated: boolean | undefined;
  readonly firewall: Firewall;
}

/**
 * What a line of an audit log contains. Firewalls also log requests that matched no rule, because of their status: nothing of those is
 * reported.
 */
export type AuditRecord = FirewallRequest | 'without_rules' | 'malformed';
