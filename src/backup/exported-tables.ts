/** How an export has a table with rows of organizations: its columns, and those that it leaves out. */
export interface ExportedTable {
  readonly columns: readonly string[];
  /** Secrets, columns that PostgreSQL computes from others, and the organization, which the manifest names. */
  readonly leftOut: readonly string[];
}

const table = (columns: string, leftOut = ''): ExportedTable => ({
  columns: columns.split(' '),
  leftOut: ['organization_id', ...leftOut.split(' ').filter(Boolean)],
});

/** Every column is in one of the two lists, which a test compares with the database: none is exported or missing by mistake. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  api_keys: table(
    'id kind name system_id scopes allowed_addresses public_key created_at expires_at revoked_at last_used_at',
    'token_hash',
  ),
  attestation_evidence: table('attestation_id evidence_id linked_by linked_at'),
  audit_entries: table(
    'sequence occurred_at actor_kind actor_id action object_kind object_id detail address previous_hash hash',
  ),
  audit_heads: table('sequence hash'),
  control_attestations: table(
    'id control applies statement attested_by attested_at valid_until withdrawn_at withdrawn_by withdrawal_reason',
  ),
  control_notes: table('id control note written_by written_at'),
  // The token is published to prove a domain.
  domain_proofs: table('source_id token proven_by proven_at created_at'),
  events: table(
    'system_id channel id kind key_id occurred_at received_at retention_days payload',
    'series_hash',
  ),
  evidence: table(
    'id kind name media_type bytes sha256 scan_id created_by created_at retained_until',
    'master_key_id wrapped_key',
  ),
  finding_comments: table('id finding_id author_id body created_at edited_at'),
  finding_decisions: table(
    'finding_id number decision reason accepted_until severity_rank actor_kind actor_id decided_at',
  ),
  finding_edits: table('finding_id id edit owner_id due_on actor_kind actor_id edited_at'),
  finding_episodes: table('finding_id number opened_at opened_by_scan closed_at closed_by_scan'),
  finding_mentions: table('comment_id person_id mentioned_at'),
  finding_views: table('id person_id name filters shared created_at'),
  findings: table(
    'id system_id source_id category fingerprint locator subject severity title remediation seen hipaa observed triage accepted_until status owner_id due_on reopened_at created_at updated_at last_seen_at',
    'severity_rank search_text opened_at',
  ),
  inventory: table('system_id kind host via probe_id source_id first_seen_at last_seen_at dismissed_at'),
  invitations: table(
    'id email role invited_by created_at expires_at accepted_at declined_at revoked_at',
    'token_hash',
  ),
  memberships: table('person_id role joined_at left_at former_name visited_at previous_visit_at'),
  notification_channels: table(
    'id name format host kinds severity digest time_zone digested_until next_digest_at created_at',
    'master_key_id wrapped_key ciphertext',
  ),
  notification_settings: table('person_id kinds severity digest digested_until next_digest_at'),
  outbox: table(
    'id purpose person_id channel_id state ready_at attempts error period_from created_at sent_at',
    'unsubscribe_hash',
  ),
  pending_audit_entries: table(
    'id occurred_at actor_kind actor_id action object_kind object_id detail address',
  ),
  posture_scores: table('day score sources critical high medium low info recorded_at'),
  probe_assessments: table('assessment_id source_id scan_id probe_id key_id probe_version received_at'),
  probe_keys: table('probe_id key_id'),
  probe_targets: table(
    'source_id probe_id name state error_code latency_ms every_seconds checked_at reported_at dropped_at silent',
  ),
  probes: table(
    'id system_id name version instance key_id interval_seconds started_at first_seen_at last_seen_at reported_at returned_at removed_at silent_since spool_events spool_bytes spool_oldest_at set_aside dropped ignored ignored_at ignored_reason',
  ),
  scan_runs: table('id scan_id source_id detector status cause started_at finished_at process_deaths'),
  scans: table(
    'id system_id source_id finding_id profile status verdict idempotency_key is_own is_requested sources runs_planned runs_succeeded failure_cause created_at started_at finished_at',
  ),
  shield_alerts: table(
    'forwarder_id alert scenario scope network events simulated created_at start_at stop_at',
  ),
  shield_blocks: table('source_id day rule path network blocked authenticated'),
  shield_days: table('source_id day blocked detected'),
  shield_decisions: table('forwarder_id decision type scope network origin scenario decided_at ends_at'),
  shield_firewalls: table(
    'forwarder_id engine version mode rule_set rule_set_version interval_seconds started_at last_seen_at reported_at last_record_at problem lag_bytes records malformed too_long judged_records judged_malformed',
  ),
  shield_forwarders: table(
    'id system_id name version instance key_id first_seen_at last_seen_at reported_at dropped ignored ignored_at ignored_reason active_decisions decisions_at',
  ),
  shield_hours: table('source_id hour attack blocked detected'),
  shield_source_firewalls: table('source_id forwarder_id engine last_request_at'),
  shield_tops: table('source_id day kind value label blocked detected'),
  shields: table('source_id turned_on_by turned_on_at assess_at outcome'),
  source_changes: table('source_id event_id place key_id occurred_at area name change'),
  source_checks: table('source_id check_ids outcomes reasons scan_ids looked_at'),
  source_credentials: table('source_id type stored_at', 'master_key_id wrapped_key ciphertext'),
  source_postures: table('source_id critical high medium low info'),
  sources: table(
    'id system_id name kind host connection_mode status risk_statement_version risk_accepted_at scan_authorized_at created_at',
  ),
  systems: table('id name external_id environment kind approved created_at'),
  view_alerts: table('person_id view_id'),
  watches: table('source_id every_hours next_scan_at last_scan_id turned_on_by turned_on_at'),
};

const counted = 'counts and copies of other rows';
const passing = 'valid for minutes';

/** Tables with rows of organizations that an export leaves out, with the reason. */
export const leftOutTables: Readonly<Record<string, string>> = {
  check_count_deltas: counted,
  check_counts: counted,
  check_sources: counted,
  check_titles: counted,
  data_versions: counted,
  event_count_deltas: counted,
  event_counts: counted,
  event_inbox: 'names of events that a worker has not processed',
  event_series: counted,
  event_series_keys: counted,
  evidence_pieces: 'decrypted, as files',
  idempotent_requests: 'answers with secrets, encrypted',
  last_scans: counted,
  notices: 'what messages were about, for 30 days',
  outbox_notices: 'what messages were about, for 30 days',
  request_admissions: passing,
  request_nonces: passing,
  retention_turns: 'progress of deletions',
  source_assessments: counted,
  source_locators: counted,
};
