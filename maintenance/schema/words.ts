/** A type of `src/contract`. */
interface Word {
  readonly type: string;
  /** The name to import, and the file that exports it. */
  readonly from: readonly [name: string, file: string];
}

const word = (type: string, file: string, name = /^\w+/.exec(type)![0]): Word => ({
  type,
  from: [name, file],
});

/** Columns whose values are words or documents of the contract; a check constraint that lists words needs no line here. */
export const words: Readonly<Record<string, Word>> = {
  'api_keys.kind': word('KeyKind', 'keys.ts'),
  'api_keys.scopes': word('Scope[]', 'keys.ts'),
  'audit_entries.actor_kind': word("AuditEntry['actor']['kind']", 'dashboard/audit.ts'),
  'audit_entries.detail': word("AuditEntry['detail']", 'dashboard/audit.ts'),
  'check_assessments.outcome': word("SourceDetail['assessments'][number]['outcome']", 'dashboard/sources.ts'),
  'events.channel': word('EventChannel', 'events.ts'),
  'finding_views.filters': word("FindingView['filters']", 'dashboard/views.ts'),
  'findings.severity': word('Severity', 'severity.ts'),
  'findings.status': word('FindingStatus', 'findings.ts'),
  'inventory.kind': word('SourceKind', 'sources.ts'),
  'notification_channels.kinds': word('NoticeKind[]', 'dashboard/notifications.ts'),
  'notification_settings.kinds': word('NoticeKind[]', 'dashboard/notifications.ts'),
  'notices.kind': word('NoticeKind', 'dashboard/notifications.ts'),
  'probe_targets.error_code': word('TestError', 'causes.ts'),
  'inventory.via': word("InventoryItem['via']", 'dashboard/probes.ts'),
  'probe_targets.state': word("SourceReport['state']", 'dashboard/probes.ts'),
  'scan_runs.cause': word('RunCause', 'causes.ts'),
  'scan_runs.status': word('RunStatus', 'scans.ts'),
  'scans.profile': word("Scan['profile']", 'scans.ts'),
  'scans.status': word("Scan['status']", 'scans.ts'),
  'scans.verdict': word('Verdict', 'scans.ts'),
  'shield_alerts.scope': word("ShieldAlert['scope']", 'shield-events.ts'),
  'shield_decisions.origin': word("ShieldDecision['origin']", 'shield-events.ts'),
  'shield_decisions.scope': word("ShieldDecision['scope']", 'shield-events.ts'),
  'shield_decisions.type': word("ShieldDecision['type']", 'shield-events.ts'),
  'shield_firewalls.engine': word('FirewallEngine', 'shield-events.ts'),
  'shield_firewalls.mode': word('FirewallMode', 'shield-events.ts'),
  'shield_firewalls.problem': word('FirewallProblem', 'shield-events.ts'),
  'shield_forwarders.active_decisions': word('ActiveDecisions', 'shield-events.ts'),
  'shield_hours.attack': word('AttackClass', 'shield-events.ts'),
  'shield_source_firewalls.engine': word('FirewallEngine', 'shield-events.ts'),
  'source_credentials.type': word("Credential['type']", 'sources.ts'),
  'sources.connection_mode': word('ConnectionMode', 'sources.ts'),
  'sources.kind': word('SourceKind', 'sources.ts'),
  'sources.status': word('SourceStatus', 'sources.ts'),
  'systems.environment': word("System['environment']", 'systems.ts'),
  'systems.kind': word("System['kind']", 'systems.ts'),
};

/** Columns of views that may be null: PostgreSQL does not know it of any. */
export const optionalInViews: readonly string[] = ['check_assessments.reason'];
